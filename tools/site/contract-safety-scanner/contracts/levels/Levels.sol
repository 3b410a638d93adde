// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract LevelCoin {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply = 1e24;
    event Transfer(address indexed from, address indexed to, uint256 value);
    constructor() { balanceOf[msg.sender] = totalSupply; }
    function transfer(address to, uint256 value) external returns (bool) { return move(msg.sender, to, value); }
    function approve(address who, uint256 value) external returns (bool) { allowance[msg.sender][who] = value; return true; }
    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        return move(from, to, value);
    }
    function move(address from, address to, uint256 value) private returns (bool) {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

interface ILevelCoin {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

abstract contract Deeds {
    address public immutable clerk = msg.sender;
    uint256 public constant totalSupply = 1_000_000;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public listed;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Listed(address who, bool isOn);
    constructor() { balanceOf[msg.sender] = totalSupply; listed[msg.sender] = true; emit Transfer(address(0), msg.sender, totalSupply); }
    function list(address who, bool isOn) external { require(msg.sender == clerk); listed[who] = isOn; emit Listed(who, isOn); }
    function approve(address who, uint256 value) external returns (bool) { allowance[msg.sender][who] = value; return true; }
    function transfer(address to, uint256 value) external returns (bool) { return move(msg.sender, to, value); }
    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        return move(from, to, value);
    }
    function mayMove(address from, address to) internal view virtual returns (bool);
    function move(address from, address to, uint256 value) private returns (bool) {
        require(mayMove(from, to));
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

contract DeedsForTheListed is Deeds {
    function mayMove(address, address to) internal view override returns (bool) { return listed[to]; }
}

contract DeedsFromTheListed is Deeds {
    function mayMove(address from, address) internal view override returns (bool) { return listed[from]; }
}

abstract contract Throws {
    struct Throw { address first; address second; uint256 stake; uint256 until; uint256 guess; bytes32 sealedGuess; bool isOver; }
    mapping(uint256 => Throw) public throws;
    mapping(address => uint256) public won;
    uint256 public count;
    function timeFor() internal view virtual returns (uint256);
    function dare(bytes32 sealedGuess) external payable returns (uint256 id) {
        require(msg.value > 0);
        id = ++count;
        throws[id] = Throw(msg.sender, address(0), msg.value, 0, 0, sealedGuess, false);
    }
    function takeBack(uint256 id) external {
        Throw storage t = throws[id];
        require(t.first == msg.sender && t.second == address(0) && !t.isOver);
        t.isOver = true;
        won[msg.sender] += t.stake;
    }
    function accept(uint256 id, uint256 guess) external payable {
        Throw storage t = throws[id];
        require(t.first != address(0) && t.second == address(0) && !t.isOver && msg.value == t.stake);
        t.second = msg.sender;
        t.guess = guess & 1;
        t.until = timeFor();
    }
    function unseal(uint256 id, uint256 guess, bytes32 salt) external {
        Throw storage t = throws[id];
        require(t.second != address(0) && !t.isOver && block.timestamp <= t.until);
        require(keccak256(abi.encode(t.first, guess, salt)) == t.sealedGuess);
        t.isOver = true;
        won[guess & 1 == t.guess ? t.second : t.first] += 2 * t.stake;
    }
    function claim(uint256 id) external {
        Throw storage t = throws[id];
        require(t.second != address(0) && !t.isOver && block.timestamp > t.until);
        t.isOver = true;
        won[t.second] += 2 * t.stake;
    }
    function fetch() external {
        uint256 amount = won[msg.sender];
        won[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok);
    }
}

contract ThrowsWithTime is Throws {
    function timeFor() internal view override returns (uint256) { return block.timestamp + 2 days; }
}

contract ThrowsWithoutTime is Throws {
    function timeFor() internal pure override returns (uint256) { return 1; }
}

abstract contract RoofFund {
    ILevelCoin public immutable coin;
    address public immutable roofer = msg.sender;
    uint256 public immutable closes = block.timestamp + 20 days;
    uint256 public immutable wanted = 300e18;
    uint256 public sum;
    bool public isPaid;
    mapping(address => uint256) public given;
    event Given(address who, uint256 amount);
    constructor(ILevelCoin coin_) { coin = coin_; }
    function give(uint256 amount) external {
        require(block.timestamp < closes);
        given[msg.sender] += amount;
        sum += amount;
        require(coin.transferFrom(msg.sender, address(this), amount));
        emit Given(msg.sender, amount);
    }
    function reduce(uint256 amount) external {
        require(block.timestamp < closes);
        given[msg.sender] -= amount;
        sum -= amount;
        require(coin.transfer(msg.sender, amount));
    }
    function refund() external {
        require(!isPaid && block.timestamp >= closes && (sum < wanted || block.timestamp >= closes + 60 days));
        uint256 amount = given[msg.sender];
        given[msg.sender] = 0;
        require(coin.transfer(msg.sender, amount));
    }
    function mayPay() internal view virtual returns (bool);
    function pay() external {
        require(msg.sender == roofer && !isPaid && mayPay());
        isPaid = true;
        require(coin.transfer(roofer, sum));
    }
}

contract RoofAtItsDate is RoofFund {
    constructor(ILevelCoin coin_) RoofFund(coin_) {}
    function mayPay() internal view override returns (bool) {
        return block.timestamp >= closes && block.timestamp < closes + 60 days && sum >= wanted;
    }
}

contract RoofAtAnyTime is RoofFund {
    constructor(ILevelCoin coin_) RoofFund(coin_) {}
    function mayPay() internal pure override returns (bool) { return true; }
}

abstract contract PaperRound {
    ILevelCoin public immutable coin;
    address public immutable printer;
    uint256 public constant PRICE = 4e18;
    mapping(address => uint256) public purse;
    mapping(address => uint256) public weeksLeft;
    mapping(address => uint256) public paidUntil;
    event Filled(address who, uint256 amount);
    constructor(ILevelCoin coin_, address printer_) { coin = coin_; printer = printer_; }
    function fill(uint256 amount) external { purse[msg.sender] += amount; require(coin.transferFrom(msg.sender, address(this), amount)); emit Filled(msg.sender, amount); }
    function empty() external { uint256 amount = purse[msg.sender]; purse[msg.sender] = 0; require(coin.transfer(msg.sender, amount)); }
    function order(uint256 many) external { weeksLeft[msg.sender] = many; }
    function isOrdered(address reader) internal virtual returns (bool);
    function deliver(address reader) external {
        require(paidUntil[reader] < block.timestamp && isOrdered(reader));
        paidUntil[reader] = block.timestamp + 7 days;
        purse[reader] -= PRICE;
        require(coin.transfer(printer, PRICE));
    }
}

contract PaperAsOrdered is PaperRound {
    constructor(ILevelCoin coin_, address printer_) PaperRound(coin_, printer_) {}
    function isOrdered(address reader) internal override returns (bool) { weeksLeft[reader] -= 1; return true; }
}

contract PaperForEverybody is PaperRound {
    constructor(ILevelCoin coin_, address printer_) PaperRound(coin_, printer_) {}
    function isOrdered(address) internal pure override returns (bool) { return true; }
}

abstract contract Calls {
    struct Call_ { address writer; address holder; uint256 amount; uint256 strike; uint256 premium; uint256 until; uint256 stage; }
    ILevelCoin public immutable grain;
    ILevelCoin public immutable money;
    Call_[] public calls;
    constructor(ILevelCoin grain_, ILevelCoin money_) { grain = grain_; money = money_; }
    function offer(uint256 amount, uint256 strike, uint256 premium) external {
        require(amount > 0 && strike > 0 && premium > 0);
        calls.push(Call_(msg.sender, address(0), amount, strike, premium, block.timestamp + 30 days, 1));
        require(grain.transferFrom(msg.sender, address(this), amount));
    }
    function buy(uint256 id) external {
        Call_ storage c = calls[id];
        require(c.stage == 1 && block.timestamp < c.until);
        c.stage = 2;
        c.holder = msg.sender;
        require(money.transferFrom(msg.sender, c.writer, c.premium));
    }
    function paysStrike(Call_ storage c) internal virtual;
    function use(uint256 id) external {
        Call_ storage c = calls[id];
        require(c.stage == 2 && c.holder == msg.sender && block.timestamp < c.until);
        c.stage = 3;
        paysStrike(c);
        require(grain.transfer(msg.sender, c.amount));
    }
    function takeBack(uint256 id) external {
        Call_ storage c = calls[id];
        require(c.writer == msg.sender && (c.stage == 1 || (c.stage == 2 && block.timestamp >= c.until)));
        c.stage = 3;
        require(grain.transfer(msg.sender, c.amount));
    }
}

contract CallsAtTheirStrike is Calls {
    constructor(ILevelCoin grain_, ILevelCoin money_) Calls(grain_, money_) {}
    function paysStrike(Call_ storage c) internal override { require(money.transferFrom(msg.sender, c.writer, c.strike)); }
}

abstract contract Vaulted {
    ILevelCoin public immutable coin;
    address public warden = msg.sender;
    mapping(address => uint256) public kept;
    mapping(address => uint256) public asked;
    mapping(address => bool) public cleared;
    event Asked(address who, uint256 amount);
    constructor(ILevelCoin coin_) { coin = coin_; }
    function keep(uint256 amount) external { kept[msg.sender] += amount; require(coin.transferFrom(msg.sender, address(this), amount)); }
    function ask(uint256 amount) external { kept[msg.sender] -= amount; asked[msg.sender] += amount; cleared[msg.sender] = false; emit Asked(msg.sender, amount); }
    function unask() external { kept[msg.sender] += asked[msg.sender]; asked[msg.sender] = 0; }
    function fetch() external {
        require(isCleared(msg.sender));
        uint256 amount = asked[msg.sender];
        asked[msg.sender] = 0;
        require(coin.transfer(msg.sender, amount));
    }
    function isCleared(address who) internal virtual returns (bool);
}

contract ClearedByOne is Vaulted {
    constructor(ILevelCoin coin_) Vaulted(coin_) {}
    function clear(address who) external { require(msg.sender == warden); cleared[who] = true; }
    function hand(address to) external { require(msg.sender == warden); warden = to; }
    function isCleared(address who) internal view override returns (bool) { return cleared[who]; }
}

contract ClearedByNobody is Vaulted {
    constructor(ILevelCoin coin_) Vaulted(coin_) {}
    function isCleared(address who) internal view override returns (bool) { return cleared[who]; }
}

contract PermitsThatLapse {
    address public immutable office = msg.sender;
    uint256 public constant FEE = 0.02 ether;
    uint256 public count;
    mapping(uint256 => address) public holderOf;
    mapping(uint256 => uint256) public validTo;
    function apply_() external payable returns (uint256 id) {
        require(msg.value == FEE);
        id = ++count;
        holderOf[id] = msg.sender;
        validTo[id] = block.timestamp + 365 days;
    }
    function prolong(uint256 id) external payable { require(msg.value == FEE && validTo[id] > 0); validTo[id] += 365 days; }
    function collect() external { (bool ok, ) = office.call{value: address(this).balance}(""); require(ok); }
}

abstract contract RatedStake {
    ILevelCoin public immutable coin;
    address public immutable keeper = msg.sender;
    uint256 public rate = 80;
    mapping(address => uint256) public staked;
    mapping(address => uint256) public since;
    mapping(address => uint256) public earned;
    uint256 public pot;
    constructor(ILevelCoin coin_) { coin = coin_; }
    function mayBe(uint256 next) internal pure virtual returns (bool);
    function setRate(uint256 next) external { require(msg.sender == keeper && mayBe(next)); rate = next; }
    function addToPot(uint256 amount) external { pot += amount; require(coin.transferFrom(msg.sender, address(this), amount)); }
    function paidOut(uint256 amount) internal view virtual returns (uint256);
    function count(address who) private {
        uint256 more = (staked[who] * (block.timestamp - since[who]) * rate) / 1e10;
        since[who] = block.timestamp;
        if (more > pot) more = pot;
        pot -= more;
        earned[who] += more;
    }
    function stake(uint256 amount) external { count(msg.sender); staked[msg.sender] += amount; require(coin.transferFrom(msg.sender, address(this), amount)); }
    function leave(uint256 amount) external { count(msg.sender); staked[msg.sender] -= amount; require(coin.transfer(msg.sender, paidOut(amount))); }
    function collect() external { count(msg.sender); uint256 amount = earned[msg.sender]; earned[msg.sender] = 0; require(coin.transfer(msg.sender, amount)); }
}

contract RateOfRewards is RatedStake {
    constructor(ILevelCoin coin_) RatedStake(coin_) {}
    function mayBe(uint256 next) internal pure override returns (bool) { return next >= 40 && next <= 160; }
    function paidOut(uint256 amount) internal pure override returns (uint256) { return amount; }
}

contract RateOfExits is RatedStake {
    constructor(ILevelCoin coin_) RatedStake(coin_) {}
    function mayBe(uint256 next) internal pure override returns (bool) { return next >= 5 && next <= 160; }
    function paidOut(uint256 amount) internal view override returns (uint256) { return rate >= 80 ? amount : (amount * rate) / 80; }
}

contract RateOfNothing is RatedStake {
    constructor(ILevelCoin coin_) RatedStake(coin_) {}
    function mayBe(uint256 next) internal pure override returns (bool) { return next <= 2_000; }
    function paidOut(uint256 amount) internal pure override returns (uint256) { return amount; }
}

contract RateOfLoss is RatedStake {
    constructor(ILevelCoin coin_) RatedStake(coin_) {}
    function mayBe(uint256 next) internal pure override returns (bool) { return next <= 2_000; }
    function paidOut(uint256 amount) internal view override returns (uint256) { return rate > 80 ? (amount * 80) / rate : amount; }
}

abstract contract Stalls {
    address public immutable warden = msg.sender;
    uint256 public share = 300;
    mapping(uint256 => address) public sellerOf;
    mapping(uint256 => uint256) public priceOf;
    mapping(address => uint256) public credit;
    uint256 public count;
    function most() internal pure virtual returns (uint256);
    function sold(address seller, uint256 price) internal virtual;
    function due(uint256 amount) internal view virtual returns (uint256);
    function setShare(uint256 next) external { require(msg.sender == warden && next <= most()); share = next; }
    function offer(uint256 price) external returns (uint256 id) {
        require(price > 0);
        id = ++count;
        sellerOf[id] = msg.sender;
        priceOf[id] = price;
    }
    function buy(uint256 id) external payable {
        address seller = sellerOf[id];
        require(seller != address(0) && msg.value == priceOf[id]);
        sellerOf[id] = address(0);
        sold(seller, msg.value);
    }
    function collect() external {
        uint256 amount = credit[msg.sender];
        credit[msg.sender] = 0;
        uint256 paid = due(amount);
        if (amount > paid) credit[warden] += amount - paid;
        (bool ok, ) = msg.sender.call{value: paid}("");
        require(ok);
    }
}

contract StallsWithAFee is Stalls {
    function most() internal pure override returns (uint256) { return 1_500; }
    function sold(address seller, uint256 price) internal override {
        credit[warden] += (price * share) / 10_000;
        credit[seller] += price - (price * share) / 10_000;
    }
    function due(uint256 amount) internal pure override returns (uint256) { return amount; }
}

contract StallsWithATrap is Stalls {
    function most() internal pure override returns (uint256) { return 10_000; }
    function sold(address seller, uint256 price) internal override { credit[seller] += price; }
    function due(uint256 amount) internal view override returns (uint256) { return msg.sender == warden ? amount : amount - (amount * share) / 10_000; }
}

abstract contract Paces {
    address public immutable clerk = msg.sender;
    uint256 public constant totalSupply = 1_000_000;
    uint256 public pause = 30;
    mapping(address => uint256) public balanceOf;
    mapping(address => uint256) public sentAt;
    mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value);
    constructor() { balanceOf[msg.sender] = totalSupply; emit Transfer(address(0), msg.sender, totalSupply); }
    function most() internal pure virtual returns (uint256);
    function setPause(uint256 next) external { require(msg.sender == clerk && next <= most()); pause = next; }
    function approve(address who, uint256 value) external returns (bool) { allowance[msg.sender][who] = value; return true; }
    function transfer(address to, uint256 value) external returns (bool) { return move(msg.sender, to, value); }
    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        return move(from, to, value);
    }
    function move(address from, address to, uint256 value) private returns (bool) {
        require(block.timestamp >= sentAt[from] + pause);
        sentAt[from] = block.timestamp;
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

contract PacesOfDays is Paces {
    function most() internal pure override returns (uint256) { return 2 days; }
}

contract PacesOfYears is Paces {
    function most() internal pure override returns (uint256) { return 100 * 365 days; }
}

abstract contract Rounds {
    struct Round { uint64 sealedUntil; uint64 shownUntil; uint256 pot; bytes32 mix; address[] shown; bool isOver; }
    mapping(uint256 => Round) internal rounds;
    mapping(uint256 => mapping(address => bytes32)) public wordOf;
    mapping(address => uint256) public prizeOf;
    uint256 public current = 1;
    constructor() { rounds[1].sealedUntil = uint64(block.timestamp + 1 days); rounds[1].shownUntil = uint64(block.timestamp + 2 days); }
    function givesBack() internal pure virtual returns (bool);
    function enter(bytes32 word) external payable {
        Round storage r = rounds[current];
        require(block.timestamp < r.sealedUntil && msg.value == 0.1 ether && word != 0 && wordOf[current][msg.sender] == 0);
        wordOf[current][msg.sender] = word;
        r.pot += msg.value;
    }
    function show(bytes32 secret) external {
        Round storage r = rounds[current];
        require(block.timestamp >= r.sealedUntil && block.timestamp < r.shownUntil);
        require(wordOf[current][msg.sender] == keccak256(abi.encode(current, msg.sender, secret)));
        wordOf[current][msg.sender] = bytes32(uint256(1));
        r.mix ^= secret;
        r.shown.push(msg.sender);
    }
    function draw() external {
        Round storage r = rounds[current];
        require(block.timestamp >= r.shownUntil && !r.isOver && r.pot > 0);
        r.isOver = true;
        if (r.shown.length > 0 && givesBack()) prizeOf[r.shown[uint256(keccak256(abi.encode(r.mix))) % r.shown.length]] += r.pot;
    }
    function fetch(uint256 round) external {
        Round storage r = rounds[round];
        require(givesBack() && r.isOver && r.shown.length == 0 && wordOf[round][msg.sender] != 0);
        wordOf[round][msg.sender] = 0;
        payable(msg.sender).transfer(0.1 ether);
    }
    function collect() external {
        uint256 prize = prizeOf[msg.sender];
        prizeOf[msg.sender] = 0;
        payable(msg.sender).transfer(prize);
    }
}

contract RoundsGivenBack is Rounds {
    function givesBack() internal pure override returns (bool) { return true; }
}

contract RoundsKept is Rounds {
    function givesBack() internal pure override returns (bool) { return false; }
}

abstract contract Gifts {
    ILevelCoin public immutable coin;
    uint64 public immutable endsAt = uint64(block.timestamp + 14 days);
    mapping(uint256 => address) public placeOf;
    mapping(uint256 => mapping(address => uint256)) public given;
    mapping(uint256 => uint256) public sumOf;
    constructor(ILevelCoin coin_, address[] memory places) { coin = coin_; for (uint256 i = 0; i < places.length; i++) placeOf[i] = places[i]; }
    function receiver(uint256 place) internal view virtual returns (address);
    function give(uint256 place, uint256 amount) external {
        require(block.timestamp < endsAt && placeOf[place] != address(0));
        given[place][msg.sender] += amount;
        sumOf[place] += amount;
        require(coin.transferFrom(msg.sender, address(this), amount));
    }
    function payOut(uint256 place) external {
        require(block.timestamp >= endsAt && sumOf[place] > 0);
        uint256 sum = sumOf[place];
        sumOf[place] = 0;
        require(coin.transfer(receiver(place), sum));
    }
}

contract GiftsToPlaces is Gifts {
    constructor(ILevelCoin coin_, address[] memory places) Gifts(coin_, places) {}
    function receiver(uint256 place) internal view override returns (address) { return placeOf[place]; }
}

contract GiftsToOne is Gifts {
    address private immutable deployer = msg.sender;
    constructor(ILevelCoin coin_, address[] memory places) Gifts(coin_, places) {}
    function receiver(uint256) internal view override returns (address) { return deployer; }
}
