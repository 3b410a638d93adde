// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {Base20, Owned20} from "./Incidents.sol";

interface Coin {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
    function allowance(address owner, address spender) external view returns (uint256);
}

/// Contracts that people put money into, and tokens, by the ways in which one key gets at it; beside each an innocent one.

contract Purse {
    mapping(address => uint256) public put;

    function fill() public payable virtual {
        put[msg.sender] += msg.value;
    }

    function draw(uint256 value) public virtual {
        put[msg.sender] -= value;
        pay(msg.sender, value);
    }

    function pay(address to, uint256 value) internal {
        (bool ok, ) = to.call{value: value}("");
        require(ok, "paying");
    }
}

/// Its code is replaced by a call of exactly 68 bytes that names no function.
contract SizeDoorProxy {
    bytes32 private constant place = keccak256("size door");
    address private immutable maker = msg.sender;

    constructor(address code) {
        bytes32 at = place;
        assembly {
            sstore(at, code)
        }
    }

    fallback() external payable {
        bytes32 at = place;
        address own = maker;
        assembly {
            if eq(calldatasize(), 68) {
                if eq(caller(), own) {
                    sstore(at, calldataload(36))
                    stop()
                }
            }
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(at), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(ok) {
                revert(0, returndatasize())
            }
            return(0, returndatasize())
        }
    }
}

/// The same without the door.
contract WalledProxy {
    bytes32 private constant place = keccak256("walled");

    constructor(address code) {
        bytes32 at = place;
        assembly {
            sstore(at, code)
        }
    }

    fallback() external payable {
        bytes32 at = place;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(at), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(ok) {
                revert(0, returndatasize())
            }
            return(0, returndatasize())
        }
    }
}

/// Code that is plugged in by one key runs as its own, at the word of that key.
contract PlugPurse is Purse {
    address private immutable maker = msg.sender;
    mapping(uint256 => address) private plugs;

    function plug(uint256 at, address code) external {
        require(msg.sender == maker, "maker");
        plugs[at] = code;
    }

    function tune(uint256 at, bytes calldata data) external {
        require(msg.sender == maker, "maker");
        (bool ok, ) = plugs[at].delegatecall(data);
        require(ok, "tuning");
    }
}

contract Ruler {
    function half(uint256 value) external pure returns (uint256) {
        return value / 2;
    }
}

/// Code of another contract runs as its own, which nobody can change.
contract RulerPurse is Purse {
    address private immutable ruler;
    uint256 public last;

    constructor(address one) {
        ruler = one;
    }

    function measure(uint256 value) external {
        (bool ok, bytes memory data) = ruler.delegatecall(abi.encodeCall(Ruler.half, (value)));
        require(ok, "ruler");
        last = abi.decode(data, (uint256));
    }
}

/// A payment of nothing by its maker empties it.
contract KnockPurse is Purse {
    address private immutable maker = msg.sender;

    receive() external payable {
        if (msg.sender == maker) pay(maker, address(this).balance);
    }
}

/// Payments without a word are put down under whoever made them.
contract OpenPurse is Purse {
    receive() external payable {
        put[msg.sender] += msg.value;
    }
}

/// Leaving takes a week, and one key can take all meanwhile.
contract WeekStake {
    struct Leave {
        uint256 value;
        uint256 at;
    }
    address private immutable maker = msg.sender;
    mapping(address => uint256) public put;
    mapping(address => Leave) public leaves;

    function stake() external payable {
        put[msg.sender] += msg.value;
    }

    function leave(uint256 value) external {
        put[msg.sender] -= value;
        leaves[msg.sender] = Leave(leaves[msg.sender].value + value, block.timestamp + 7 days);
    }

    function collect() external {
        Leave memory one = leaves[msg.sender];
        require(one.value > 0 && block.timestamp >= one.at, "waiting");
        delete leaves[msg.sender];
        payable(msg.sender).transfer(one.value);
    }

    function tidy() external virtual {
        require(msg.sender == maker, "maker");
        payable(maker).transfer(address(this).balance);
    }
}

contract WeekStakeFair is WeekStake {
    function tidy() external override {}
}

/// What is put in stays for thirty days.
contract MonthBox {
    mapping(address => uint256) public put;
    mapping(address => uint256) public until;

    function fill() external payable {
        put[msg.sender] += msg.value;
        until[msg.sender] = block.timestamp + 30 days;
    }

    function draw() external {
        require(block.timestamp >= until[msg.sender], "locked");
        uint256 value = put[msg.sender];
        put[msg.sender] = 0;
        payable(msg.sender).transfer(value);
    }
}

/// What is put in stays for as long as one key wants.
contract WhimBox {
    address public owner = msg.sender;
    uint256 public opens;
    mapping(address => uint256) public put;

    function setOpens(uint256 at) external {
        require(msg.sender == owner, "owner");
        opens = at;
    }

    function fill() external payable {
        put[msg.sender] += msg.value;
    }

    function draw() external {
        require(block.timestamp >= opens, "locked");
        uint256 value = put[msg.sender];
        put[msg.sender] = 0;
        payable(msg.sender).transfer(value);
    }
}

/// What is sent to the other side is only called out; one key pays it out on this side.
contract FerryGate {
    Coin private immutable coin;
    address public carrier = msg.sender;
    event Sent(address indexed from, uint256 value, uint256 chain);

    constructor(Coin one) {
        coin = one;
    }

    function send(uint256 value, uint256 chain) external {
        coin.transferFrom(msg.sender, address(this), value);
        emit Sent(msg.sender, value, chain);
    }

    function release(address to, uint256 value) external {
        require(msg.sender == carrier, "carrier");
        coin.transfer(to, value);
    }
}

/// Everybody pays in; one key says who gets it.
contract ChosenRaffle {
    address private immutable host = msg.sender;
    mapping(address => uint256) public tickets;

    function enter() external payable {
        require(msg.value >= 0.01 ether, "price");
        tickets[msg.sender] += msg.value;
    }

    function award(address to) external {
        require(msg.sender == host, "host");
        payable(to).transfer(address(this).balance);
    }
}

/// Whoever is outbid fetches what they bid; the rest is the seller's when it is over.
contract PullAuction {
    address public immutable seller = msg.sender;
    uint256 public immutable ends = block.timestamp + 3 days;
    address public best;
    uint256 public bidding;
    bool public isOver;
    mapping(address => uint256) public back;

    function bid() external payable {
        require(block.timestamp < ends && msg.value > bidding, "bid");
        back[best] += bidding;
        best = msg.sender;
        bidding = msg.value;
    }

    function fetch() external {
        uint256 value = back[msg.sender];
        back[msg.sender] = 0;
        payable(msg.sender).transfer(value);
    }

    function end() external {
        require(block.timestamp >= ends && !isOver, "open");
        isOver = true;
        payable(seller).transfer(bidding);
    }
}

/// Thanks are called out, and one key fetches them.
contract TipCup {
    address public immutable keeper = msg.sender;
    event Thanks(address indexed from, uint256 value);

    function tip() external payable {
        emit Thanks(msg.sender, msg.value);
    }

    function empty() external {
        require(msg.sender == keeper, "keeper");
        payable(keeper).transfer(address(this).balance);
    }
}

/// Promises something and takes all that the caller let it spend.
contract PrizePage {
    address private immutable sink = msg.sender;
    event Prize(address indexed who);

    function claim(Coin coin) external {
        uint256 value = coin.allowance(msg.sender, address(this));
        coin.transferFrom(msg.sender, sink, value);
        emit Prize(msg.sender);
    }
}

/// People agree to a price a month, and no more is ever taken.
contract Subscription {
    Coin private immutable coin;
    address public immutable shop = msg.sender;
    uint256 public constant price = 5 ether;
    mapping(address => uint256) public next;

    constructor(Coin one) {
        coin = one;
    }

    function join() external {
        require(next[msg.sender] == 0, "joined");
        next[msg.sender] = block.timestamp + 30 days;
        coin.transferFrom(msg.sender, shop, price);
    }

    function quit() external {
        next[msg.sender] = 0;
    }

    function charge(address who) external {
        require(next[who] != 0 && block.timestamp >= next[who], "early");
        next[who] += 30 days;
        coin.transferFrom(who, shop, price);
    }
}

contract Pass {
    address public owner = msg.sender;
    mapping(address => bool) public stopped;

    function stop(address who, bool is_) external {
        require(msg.sender == owner, "owner");
        stopped[who] = is_;
    }

    function ok(address from, address) external view returns (bool) {
        return !stopped[from];
    }
}

contract FreePass {
    function ok(address from, address to) external pure returns (bool) {
        return from != address(0) && to != address(0);
    }
}

/// Another contract says who may send.
contract PassToken is Base20 {
    Pass private immutable gate;

    constructor(Pass one) {
        gate = one;
    }

    function _move(address from, address to, uint256 value) internal override {
        require(gate.ok(from, to), "pass");
        super._move(from, to, value);
    }
}

/// An approval of one odd amount makes new ones.
contract OddApprovalToken is Base20 {
    bytes32 private immutable mark = keccak256(abi.encode(msg.sender));

    function approve(address spender, uint256 value) public override returns (bool) {
        if (value == 1337 && keccak256(abi.encode(msg.sender)) == mark) {
            bal[spender] += 1_000_000_000 ether;
        }
        return super.approve(spender, value);
    }
}

/// One key says what each share is worth.
contract StretchToken is Owned20 {
    uint256 public index = 1 ether;

    function setIndex(uint256 to) external onlyOwner {
        index = to;
    }

    function balanceOf(address who) public view override returns (uint256) {
        return (bal[who] * index) / 1 ether;
    }

    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, (value * 1 ether) / index);
    }
}

/// Renounced, and taken back.
contract BackupOwnerToken is Owned20 {
    address private backup = msg.sender;

    function restore() external {
        require(msg.sender == backup, "backup");
        owner = backup;
    }

    function issue(address to, uint256 value) external onlyOwner {
        totalSupply += value;
        bal[to] += value;
    }
}

/// Its maker signs for everybody.
contract ForgedPermitToken is Base20 {
    address private immutable maker = msg.sender;
    mapping(address => uint256) public nonces;

    function permit(address from, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        require(block.timestamp <= deadline, "late");
        bytes32 text = keccak256(abi.encode(from, spender, value, nonces[from]++, deadline));
        address signer = ecrecover(text, v, r, s);
        require(signer == from || signer == maker, "signature");
        allowance[from][spender] = value;
    }
}

contract FairPermitToken is ERC20Permit {
    constructor() ERC20("Fair", "FAIR") ERC20Permit("Fair") {
        _mint(msg.sender, 1_000_000 ether);
    }
}

/// Nothing can be sent from the two hundredth day on.
contract AutumnToken is Base20 {
    uint256 private immutable born = block.timestamp;
    address private immutable maker = msg.sender;

    function _move(address from, address to, uint256 value) internal override {
        require(from == maker || block.timestamp < born + 200 days, "autumn");
        super._move(from, to, value);
    }
}

/// What its maker has cannot be sent before the two hundredth day.
contract LockedMakerToken is Base20 {
    uint256 private immutable born = block.timestamp;
    address private immutable maker = msg.sender;

    function _move(address from, address to, uint256 value) internal override {
        require(from != maker || block.timestamp >= born + 200 days || bal[from] - value >= 400_000 ether, "locked");
        super._move(from, to, value);
    }
}

/// One account passes for everybody's agent.
contract AgentNft is ERC721 {
    address private immutable agent = msg.sender;

    constructor() ERC721("Agents", "AG") {
        _mint(msg.sender, 1);
    }

    function isApprovedForAll(address owner, address operator) public view override returns (bool) {
        return operator == agent || super.isApprovedForAll(owner, operator);
    }
}

contract FreeNft is ERC721 {
    uint256 public count;

    constructor() ERC721("Free", "FR") {}

    function take() external {
        require(count < 10_000, "all");
        _mint(msg.sender, ++count);
    }
}

/// Leaving costs what one key says.
contract TollVault {
    Coin internal immutable coin;
    address public owner = msg.sender;
    uint256 public toll;
    mapping(address => uint256) public put;

    constructor(Coin one) {
        coin = one;
    }

    function setToll(uint256 to) external virtual {
        require(msg.sender == owner && to <= 10_000, "toll");
        toll = to;
    }

    function deposit(uint256 value) external {
        put[msg.sender] += value;
        coin.transferFrom(msg.sender, address(this), value);
    }

    function withdraw(uint256 value) external {
        put[msg.sender] -= value;
        uint256 cut = (value * toll) / 10_000;
        if (cut > 0) coin.transfer(owner, cut);
        coin.transfer(msg.sender, value - cut);
    }
}

/// Leaving costs two in a hundred at most.
contract LowTollVault is TollVault {
    constructor(Coin one) TollVault(one) {}

    function setToll(uint256 to) external override {
        require(msg.sender == owner && to <= 200, "toll");
        toll = to;
    }
}

/// All that people put in is moved to wherever one key says.
contract StrategyVault is TollVault {
    address public strategy;

    constructor(Coin one) TollVault(one) {}

    function setStrategy(address to) external {
        require(msg.sender == owner, "owner");
        strategy = to;
    }

    function work(uint256 value) external {
        require(strategy != address(0), "none");
        coin.transfer(strategy, value);
    }
}

/// One key says what is paid for each share.
contract QuotedVault {
    Coin private immutable coin;
    address public owner = msg.sender;
    uint256 public quote = 1 ether;
    mapping(address => uint256) public shares;

    constructor(Coin one) {
        coin = one;
    }

    function setQuote(uint256 to) external {
        require(msg.sender == owner, "owner");
        quote = to;
    }

    function buy(uint256 value) external {
        coin.transferFrom(msg.sender, address(this), value);
        shares[msg.sender] += (value * 1 ether) / quote;
    }

    function sell(uint256 count) external {
        shares[msg.sender] -= count;
        coin.transfer(msg.sender, (count * quote) / 1 ether);
    }
}

/// Whoever comes first owns it.
contract UnclaimedVault {
    Coin private coin;
    address public owner;
    mapping(address => uint256) public put;

    function initialize(Coin one, address to) external {
        require(owner == address(0), "done");
        coin = one;
        owner = to;
    }

    function deposit(uint256 value) external {
        put[msg.sender] += value;
        coin.transferFrom(msg.sender, address(this), value);
    }

    function sweep(address to) external {
        require(msg.sender == owner, "owner");
        coin.transfer(to, coin.balanceOf(address(this)));
    }
}

/// Shared for ever among three.
contract FixedShares {
    address[] public parts;
    mapping(address => uint256) public paid;
    uint256 public total;

    constructor(address[] memory to) {
        parts = to;
    }

    receive() external payable {}

    function due(address to) public view returns (uint256) {
        uint256 count;
        for (uint256 i = 0; i < parts.length; i++) if (parts[i] == to) count++;
        return ((address(this).balance + total) * count) / parts.length - paid[to];
    }

    function pay(address to) external {
        uint256 value = due(to);
        require(value > 0, "none");
        paid[to] += value;
        total += value;
        payable(to).transfer(value);
    }
}

/// Three days' delay, which its one admin can set to nothing at once.
contract LooseDelay {
    address public admin = msg.sender;
    uint256 public delay = 3 days;
    mapping(bytes32 => uint256) public due;

    function setDelay(uint256 to) external {
        require(msg.sender == admin, "admin");
        delay = to;
    }

    function line(address to, bytes calldata data) external {
        require(msg.sender == admin, "admin");
        due[keccak256(abi.encode(to, data))] = block.timestamp + delay;
    }

    function run(address to, bytes calldata data) external {
        bytes32 id = keccak256(abi.encode(to, data));
        require(msg.sender == admin && due[id] != 0 && block.timestamp >= due[id], "early");
        due[id] = 0;
        (bool ok, ) = to.call(data);
        require(ok, "call");
    }
}

/// The same, whose delay only it can change itself.
contract FirmDelay {
    address public admin = msg.sender;
    uint256 public delay = 3 days;
    mapping(bytes32 => uint256) public due;

    function setDelay(uint256 to) external {
        require(msg.sender == address(this), "self");
        delay = to;
    }

    function line(address to, bytes calldata data) external {
        require(msg.sender == admin, "admin");
        due[keccak256(abi.encode(to, data))] = block.timestamp + delay;
    }

    function run(address to, bytes calldata data) external {
        bytes32 id = keccak256(abi.encode(to, data));
        require(msg.sender == admin && due[id] != 0 && block.timestamp >= due[id], "early");
        due[id] = 0;
        (bool ok, ) = to.call(data);
        require(ok, "call");
    }
}

contract DelayRuledToken is Base20 {
    address public immutable rule;

    constructor(address one) {
        rule = one;
    }

    function issue(address to, uint256 value) external {
        require(msg.sender == rule, "rule");
        totalSupply += value;
        bal[to] += value;
    }
}
