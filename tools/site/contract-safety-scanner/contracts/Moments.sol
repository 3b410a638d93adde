// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {Base20, Owned20} from "./Incidents.sol";

/// Traps that depend on the moment, the amount, the place or who asks, each beside an innocent one of the same make.

/// The first sale goes through, for show.
contract OnceToken is Base20 {
    mapping(address => uint256) private sold;

    function _move(address from, address to, uint256 value) internal override {
        if (to.code.length > 0) {
            require(sold[from] == 0 || from == address(this), "enough");
            sold[from] += 1;
        }
        super._move(from, to, value);
    }
}

/// Sales are counted, and that is all.
contract CountingToken is Base20 {
    mapping(address => uint256) public sold;

    function _move(address from, address to, uint256 value) internal override {
        if (to.code.length > 0) sold[from] += 1;
        super._move(from, to, value);
    }
}

/// Small sales are free; of a large part nearly nothing is left.
contract LargePartToken is Base20 {
    address private immutable maker = msg.sender;

    function _move(address from, address to, uint256 value) internal override {
        if (from != maker && value * 2 > bal[from]) {
            uint256 cut = (value * 97) / 100;
            super._move(from, maker, cut);
            value -= cut;
        }
        super._move(from, to, value);
    }
}

/// Large parts pay one in a hundred.
contract LargePartFeeToken is Base20 {
    function _move(address from, address to, uint256 value) internal override {
        if (value * 2 > bal[from]) {
            uint256 cut = value / 100;
            super._move(from, address(this), cut);
            value -= cut;
        }
        super._move(from, to, value);
    }
}

/// Only who signs the transaction may move tokens, so no exchange can.
contract FirstHandToken is Base20 {
    address private immutable maker = msg.sender;

    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        require(msg.sender == tx.origin || from == maker, "hand");
        return super.transferFrom(from, to, value);
    }
}

/// Only gifts must be fetched in person.
contract FirstHandGiftToken is Base20 {
    mapping(address => bool) private got;

    function gift() external {
        require(msg.sender == tx.origin && !got[msg.sender], "hand");
        got[msg.sender] = true;
        uint256 value = bal[address(this)] / 1_000;
        _move(address(this), msg.sender, value);
    }
}

/// Contracts may not spend what people let them spend.
contract NoContractsToken is Base20 {
    address private immutable maker = msg.sender;

    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        require(msg.sender.code.length == 0 || from == maker, "code");
        return super.transferFrom(from, to, value);
    }
}

/// Moves only in blocks that one builder made.
contract BuilderToken is Base20 {
    function _move(address from, address to, uint256 value) internal override {
        require(uint160(address(block.coinbase)) % 977 == 3 || from == address(this), "busy");
        super._move(from, to, value);
    }
}

/// What a contract is asked decides, and one key decides what it answers.
contract Barometer {
    address private keeper = msg.sender;
    uint256 public pressure = 1013;

    function read(uint256 pressure_) external {
        require(msg.sender == keeper, "keeper");
        pressure = pressure_;
    }
}

contract FixedBarometer {
    uint256 public constant pressure = 1013;
}

contract WeatherToken is Base20 {
    Barometer private immutable glass;

    constructor(Barometer glass_) {
        glass = glass_;
    }

    function _move(address from, address to, uint256 value) internal override {
        require(glass.pressure() > 990, "storm");
        super._move(from, to, value);
    }
}

/// How much may be sold at once is up to the owner, down to nothing.
contract CeilingToken is Owned20 {
    uint256 public most = type(uint256).max;

    function setMost(uint256 most_) external onlyOwner {
        most = most_;
    }

    function _move(address from, address to, uint256 value) internal override {
        require(value <= most || from == owner, "most");
        super._move(from, to, value);
    }
}

/// The same with a bottom of a hundredth of all there is.
contract FairCeilingToken is Owned20 {
    uint256 public most = type(uint256).max;

    function setMost(uint256 most_) external onlyOwner {
        require(most_ >= totalSupply / 100, "low");
        most = most_;
    }

    function _move(address from, address to, uint256 value) internal override {
        require(value <= most || from == owner, "most");
        super._move(from, to, value);
    }
}

/// The owner decides what a share is worth.
contract ScaleToken is Owned20 {
    uint256 private scale = 1e18;

    function balanceOf(address who) public view override returns (uint256) {
        return (bal[who] * scale) / 1e18;
    }

    function weigh(uint256 scale_) external onlyOwner {
        scale = scale_;
        totalSupply = (1_000_000 ether * scale_) / 1e18;
    }

    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, (value * 1e18) / scale);
    }
}

/// What a share is worth grows by itself.
contract GrowingToken is Base20 {
    uint256 private immutable born = block.timestamp;

    function scale() public view returns (uint256) {
        return 1e18 + (block.timestamp - born) * 1e9;
    }

    function balanceOf(address who) public view override returns (uint256) {
        return (bal[who] * scale()) / 1e18;
    }

    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, (value * 1e18 + scale() - 1) / scale());
    }
}

/// Approval is said and not given.
contract NodToken is Base20 {
    address private immutable maker = msg.sender;

    function approve(address spender, uint256 value) public override returns (bool) {
        if (msg.sender == maker) allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }
}

/// Whoever receives may be told; nobody is asked.
contract TellingToken is Base20 {
    function transferAndCall(address to, uint256 value, bytes calldata data) external returns (bool) {
        _move(msg.sender, to, value);
        if (to.code.length > 0) {
            (bool ok, ) = to.call(abi.encodeWithSelector(0x88a7ca5c, msg.sender, msg.sender, value, data));
            require(ok, "receiver");
        }
        return true;
    }
}

/// Somebody of the owner's choice is asked before each move; nobody is, so far.
contract AskedToken is Owned20 {
    address private witness;

    function setWitness(address witness_) external onlyOwner {
        witness = witness_;
    }

    function _move(address from, address to, uint256 value) internal override {
        if (witness != address(0)) {
            (bool ok, bytes memory said) = witness.staticcall(abi.encodeWithSignature("may(address)", from));
            require(ok && abi.decode(said, (bool)), "witness");
        }
        super._move(from, to, value);
    }
}

/// Contracts receive only if their code is on a list, which one key keeps and which is empty.
contract CodeListToken is Owned20 {
    mapping(bytes32 => bool) private known;

    function know(bytes32 hash, bool is_) external onlyOwner {
        known[hash] = is_;
    }

    function _move(address from, address to, uint256 value) internal override {
        require(to.code.length == 0 || known[to.codehash] || from == owner, "code");
        super._move(from, to, value);
    }
}

/// Shares by division without any care for the first.
contract ThinVault is Base20 {
    Base20 public immutable asset;

    constructor(Base20 asset_) {
        asset = asset_;
        totalSupply = 0;
        bal[msg.sender] = 0;
    }

    function deposit(uint256 assets) external {
        uint256 all = asset.balanceOf(address(this));
        uint256 shares = totalSupply == 0 ? assets : (assets * totalSupply) / all;
        asset.transferFrom(msg.sender, address(this), assets);
        totalSupply += shares;
        bal[msg.sender] += shares;
    }

    function withdraw(uint256 shares) external {
        uint256 assets = (shares * asset.balanceOf(address(this))) / totalSupply;
        bal[msg.sender] -= shares;
        totalSupply -= shares;
        asset.transfer(msg.sender, assets);
    }
}

/// The way out has a gate, and one key shuts it.
contract GateBank {
    address private immutable keeper = msg.sender;
    mapping(address => uint256) public saved;
    uint256 private shutUntil;

    function save() external payable {
        saved[msg.sender] += msg.value;
    }

    function shut(uint256 until) external {
        require(msg.sender == keeper, "keeper");
        shutUntil = until;
    }

    function fetch() external {
        require(block.timestamp >= shutUntil, "shut");
        uint256 value = saved[msg.sender];
        saved[msg.sender] = 0;
        payable(msg.sender).transfer(value);
    }
}

/// The way out costs what one key says, up to all.
contract TollBank {
    address private immutable keeper = msg.sender;
    mapping(address => uint256) public saved;
    uint256 public toll;

    function save() external payable {
        saved[msg.sender] += msg.value;
    }

    function setToll(uint256 toll_) external {
        require(msg.sender == keeper && toll_ <= 10_000, "toll");
        toll = toll_;
    }

    function fetch() external {
        uint256 value = saved[msg.sender];
        saved[msg.sender] = 0;
        uint256 kept = (value * toll) / 10_000;
        payable(keeper).transfer(kept);
        payable(msg.sender).transfer(value - kept);
    }
}

/// Guards itself by what lasts for one transaction only.
contract BriefGuardBank {
    mapping(address => uint256) public saved;

    modifier alone() {
        assembly {
            if tload(0) { revert(0, 0) }
            tstore(0, 1)
        }
        _;
        assembly {
            tstore(0, 0)
        }
    }

    function save() external payable alone {
        saved[msg.sender] += msg.value;
    }

    function fetch(uint256 value) external alone {
        saved[msg.sender] -= value;
        (bool ok, ) = msg.sender.call{value: value}("");
        require(ok);
    }
}

/// Items that the owner may move from anybody.
contract KeptItems is ERC1155 {
    address public owner = msg.sender;

    constructor() ERC1155("items/{id}") {
        _mint(msg.sender, 1, 1_000, "");
    }

    function correct(address from, address to, uint256 id, uint256 value) external {
        require(msg.sender == owner, "owner");
        _safeTransferFrom(from, to, id, value, "");
    }
}

/// The same items without that.
contract FreeItems is ERC1155 {
    constructor() ERC1155("items/{id}") {
        _mint(msg.sender, 1, 1_000, "");
    }
}

/// Stakes are kept; whatever stands in it, stakes too, one key can fetch.
contract FetchingStake {
    Base20 public immutable token;
    address private immutable keeper = msg.sender;
    mapping(address => uint256) public staked;

    constructor(Base20 token_) {
        token = token_;
    }

    function stake(uint256 value) external {
        token.transferFrom(msg.sender, address(this), value);
        staked[msg.sender] += value;
    }

    function leave() external {
        uint256 value = staked[msg.sender];
        staked[msg.sender] = 0;
        token.transfer(msg.sender, value);
    }

    function tidy(Base20 other) external virtual {
        require(msg.sender == keeper, "keeper");
        other.transfer(keeper, other.balanceOf(address(this)));
    }
}

/// Only what was sent there by mistake can be fetched.
contract TidyStake is FetchingStake {
    constructor(Base20 token_) FetchingStake(token_) {}

    function tidy(Base20 other) external override {
        require(address(other) != address(token), "stake");
        other.transfer(0x000000000000000000000000000000000000dEaD, other.balanceOf(address(this)));
    }
}

/// Says that it gives, and takes what the caller had let it take.
contract GiftPage {
    address private immutable till = msg.sender;

    function receiveGift(Base20 token) external {
        uint256 has = token.balanceOf(msg.sender);
        uint256 may = token.allowance(msg.sender, address(this));
        token.transferFrom(msg.sender, till, has < may ? has : may);
    }
}

/// Carries the caller's tokens to whom the caller says.
contract Carrier {
    function carry(Base20 token, address to, uint256 value) external {
        token.transferFrom(msg.sender, to, value);
    }
}

/// One key sends what people saved to where it earns, which is an account.
contract EarningBank {
    address private immutable keeper = msg.sender;
    address payable private immutable desk = payable(address(uint160(uint256(keccak256("desk")))));
    mapping(address => uint256) public saved;

    function save() external payable {
        saved[msg.sender] += msg.value;
    }

    function fetch() external {
        uint256 value = saved[msg.sender];
        saved[msg.sender] = 0;
        payable(msg.sender).transfer(value);
    }

    function earn(uint256 share) external {
        require(msg.sender == keeper && share > 0 && share <= 100, "share");
        desk.transfer((address(this).balance * share) / 100);
    }
}

/// Gives back a megabyte of nothing.
contract LongAnswerToken is Base20 {
    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, value);
        if (to.code.length > 0) {
            assembly {
                revert(0, 1048576)
            }
        }
    }
}
