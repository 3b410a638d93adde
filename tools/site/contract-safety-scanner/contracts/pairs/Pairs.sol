// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract PairCoin {
    string public name = "Pair Coin";
    string public symbol = "PAIR";
    uint8 public constant decimals = 18;
    uint256 public totalSupply = 1e24;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() {
        balanceOf[msg.sender] = totalSupply;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    function _move(address from, address to, uint256 value) private {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

interface Thing {
    function transferFrom(address from, address to, uint256 id) external;
    function ownerOf(uint256 id) external view returns (address);
}

/// Things are sold to whoever offers most; what others offered before is theirs again.
abstract contract Auction {
    struct Lot {
        address owner;
        address things;
        uint256 id;
        uint256 closes;
        address first;
        uint256 offer;
    }

    Lot[] public lots;
    mapping(address => uint256) public refunds;

    function put(address things, uint256 id, uint256 hoursOpen) external {
        require(hoursOpen > 0 && hoursOpen < 500, "hours");
        lots.push(Lot(msg.sender, things, id, block.timestamp + hoursOpen * 1 hours, address(0), 0));
        Thing(things).transferFrom(msg.sender, address(this), id);
    }

    function outbid(uint256 at) external payable virtual;

    function close(uint256 at) external {
        Lot storage lot = lots[at];
        require(block.timestamp >= lot.closes && lot.owner != address(0), "open");
        address owner = lot.owner;
        lot.owner = address(0);
        if (lot.first == address(0)) {
            Thing(lot.things).transferFrom(address(this), owner, lot.id);
            return;
        }
        refunds[owner] += lot.offer;
        Thing(lot.things).transferFrom(address(this), lot.first, lot.id);
    }

    function refund() external {
        uint256 amount = refunds[msg.sender];
        refunds[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }
}

contract AuctionForTheLast is Auction {
    function outbid(uint256 at) external payable override {
        Lot storage lot = lots[at];
        require(block.timestamp < lot.closes && msg.value > lot.offer, "too little");
        uint256 before = lot.first == address(0) ? 0 : lot.offer;
        (lot.first, lot.offer) = (msg.sender, msg.value);
        refunds[lot.first] += before;
    }
}

contract AuctionForTheOneBefore is Auction {
    function outbid(uint256 at) external payable override {
        Lot storage lot = lots[at];
        require(block.timestamp < lot.closes && msg.value > lot.offer, "too little");
        refunds[lot.first] += lot.offer;
        (lot.first, lot.offer) = (msg.sender, msg.value);
    }
}

/// Somebody lets somebody else spend so much of theirs each week.
abstract contract WeeklyMoney {
    struct Week {
        uint64 number;
        uint96 most;
        uint96 spent;
    }

    PairCoin public immutable coin;
    mapping(address => uint256) public has;
    mapping(address => mapping(address => Week)) public weeks_;

    constructor(PairCoin one) {
        coin = one;
    }

    function fill(uint256 amount) external {
        coin.transferFrom(msg.sender, address(this), amount);
        has[msg.sender] += amount;
    }

    function empty(uint256 amount) external {
        has[msg.sender] -= amount;
        coin.transfer(msg.sender, amount);
    }

    function allow(address who, uint96 most) external {
        weeks_[msg.sender][who].most = most;
    }

    function _count(Week memory week, uint96 amount) internal view returns (Week memory) {
        uint64 now_ = uint64(block.timestamp / 1 weeks);
        if (week.number != now_) (week.number, week.spent) = (now_, 0);
        require(week.spent + amount <= week.most, "more than allowed");
        week.spent += amount;
        return week;
    }

    function pay(address owner, uint96 amount, address to) external virtual;
}

contract ForgetfulMoney is WeeklyMoney {
    constructor(PairCoin one) WeeklyMoney(one) {}

    function pay(address owner, uint96 amount, address to) external override {
        _count(weeks_[owner][msg.sender], amount);
        has[owner] -= amount;
        coin.transfer(to, amount);
    }
}

contract CountedMoney is WeeklyMoney {
    constructor(PairCoin one) WeeklyMoney(one) {}

    function pay(address owner, uint96 amount, address to) external override {
        weeks_[owner][msg.sender] = _count(weeks_[owner][msg.sender], amount);
        has[owner] -= amount;
        coin.transfer(to, amount);
    }
}

/// Who leaves one coin more than before takes the other one, as far as the product of both stays.
abstract contract Barrel {
    PairCoin public immutable one;
    PairCoin public immutable other;
    uint256 public ones;
    uint256 public others;
    uint256 public allShares;
    mapping(address => uint256) public shares;

    constructor(PairCoin a, PairCoin b) {
        (one, other) = (a, b);
    }

    function add(uint256 a, uint256 b) external {
        uint256 given = allShares == 0 ? a : (a * allShares) / ones;
        if (allShares > 0 && (b * allShares) / others < given) given = (b * allShares) / others;
        require(given > 0, "none");
        one.transferFrom(msg.sender, address(this), a);
        other.transferFrom(msg.sender, address(this), b);
        shares[msg.sender] += given;
        allShares += given;
        _count();
    }

    function take(uint256 given) external {
        shares[msg.sender] -= given;
        uint256 a = (ones * given) / allShares;
        uint256 b = (others * given) / allShares;
        allShares -= given;
        one.transfer(msg.sender, a);
        other.transfer(msg.sender, b);
        _count();
    }

    function change(uint256 a, uint256 b, address to) external {
        require(a < ones && b < others, "too much");
        if (a > 0) one.transfer(to, a);
        if (b > 0) other.transfer(to, b);
        uint256 left = one.balanceOf(address(this));
        uint256 right = other.balanceOf(address(this));
        require(left > ones - a || right > others - b, "nothing came");
        require(left * right * 1e4 >= ones * others * _factor(), "product");
        _count();
    }

    function _factor() internal pure virtual returns (uint256);

    function _count() private {
        ones = one.balanceOf(address(this));
        others = other.balanceOf(address(this));
    }
}

contract LeakyBarrel is Barrel {
    constructor(PairCoin a, PairCoin b) Barrel(a, b) {}

    function _factor() internal pure override returns (uint256) {
        return 1e2;
    }
}

contract TightBarrel is Barrel {
    constructor(PairCoin a, PairCoin b) Barrel(a, b) {}

    function _factor() internal pure override returns (uint256) {
        return 1e4;
    }
}

/// Things are offered at a price by their owners, who keep them meanwhile.
abstract contract Window {
    mapping(bytes32 => bool) public shown;
    mapping(address => uint256) public earned;

    function _name(address who, address things, uint256 id, uint256 price, uint256 last)
        internal
        pure
        virtual
        returns (bytes32);

    function show(address things, uint256 id, uint256 price, uint256 last) external {
        require(Thing(things).ownerOf(id) == msg.sender, "not yours");
        shown[_name(msg.sender, things, id, price, last)] = true;
    }

    function hide(address things, uint256 id, uint256 price, uint256 last) external {
        shown[_name(msg.sender, things, id, price, last)] = false;
    }

    function purchase(address who, address things, uint256 id, uint256 price, uint256 last) external payable {
        bytes32 name = _name(who, things, id, price, last);
        require(shown[name] && block.timestamp <= last && msg.value == price, "no such offer");
        shown[name] = false;
        earned[who] += price;
        Thing(things).transferFrom(who, msg.sender, id);
    }

    function earn() external {
        uint256 amount = earned[msg.sender];
        earned[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }
}

contract WindowAnyPrice is Window {
    function _name(address who, address things, uint256 id, uint256, uint256 last)
        internal
        pure
        override
        returns (bytes32)
    {
        return keccak256(abi.encode(who, things, id, last));
    }
}

contract WindowOnePrice is Window {
    function _name(address who, address things, uint256 id, uint256 price, uint256 last)
        internal
        pure
        override
        returns (bytes32)
    {
        return keccak256(abi.encode(who, things, id, price, last));
    }
}

/// Ether that is counted under a name, and several calls in one.
abstract contract Till {
    mapping(address => uint256) public counted;

    function put(address forWhom) public payable {
        counted[forWhom] += msg.value;
    }

    function take(uint256 amount) external {
        counted[msg.sender] -= amount;
        (bool paid, ) = msg.sender.call{value: amount}("");
        require(paid, "not paid");
    }

    function _each(bytes[] calldata calls) internal {
        for (uint256 at = 0; at < calls.length; at++) {
            (bool done, ) = address(this).delegatecall(calls[at]);
            require(done, "one failed");
        }
    }
}

/// What came along once is counted by each call.
contract TillManyAtOnce is Till {
    function several(bytes[] calldata calls) external payable {
        _each(calls);
    }
}

/// Several calls in one bring nothing along.
contract TillOneByOne is Till {
    function several(bytes[] calldata calls) external {
        _each(calls);
    }
}

interface PairToken {
    function balanceOf(address who) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// Carries out what the caller says, where the caller says it, with what people let it spend.
contract ErrandAnywhere {
    struct Errand {
        address where;
        uint256 worth;
        bytes what;
    }

    function run(PairToken coin, uint256 amount, PairToken back, uint256 least, Errand[] calldata all, uint256 until)
        external
        payable
    {
        require(block.timestamp <= until, "too late");
        uint256 had = back.balanceOf(address(this));
        if (amount > 0) coin.transferFrom(msg.sender, address(this), amount);
        for (uint256 at = 0; at < all.length; at++) {
            (bool done, ) = all[at].where.call{value: all[at].worth}(all[at].what);
            require(done, "errand");
        }
        uint256 got = back.balanceOf(address(this)) - had;
        require(got >= least, "too little");
        if (got > 0) back.transfer(msg.sender, got);
    }
}

/// Passes on what is the caller's own, to whom the caller says.
contract ErrandOwnPurse {
    struct Errand {
        address whom;
        uint256 amount;
        bytes note;
    }

    event Carried(address whom, uint256 amount, bytes note);

    function run(PairToken coin, Errand[] calldata all, uint256 until) external {
        require(block.timestamp <= until, "too late");
        for (uint256 at = 0; at < all.length; at++) {
            coin.transferFrom(msg.sender, all[at].whom, all[at].amount);
            emit Carried(all[at].whom, all[at].amount, all[at].note);
        }
    }
}

/// A few people save together and share out after a time.
abstract contract Circle {
    address[] public people;
    mapping(address => uint256) public share;
    uint256 public immutable opens;

    constructor() {
        opens = block.timestamp + 20 days;
    }

    function save() external payable {
        require(msg.value >= 0.05 ether && block.timestamp < opens, "not now");
        if (share[msg.sender] == 0) {
            require(people.length < 5, "full");
            people.push(msg.sender);
        }
        share[msg.sender] += msg.value;
    }
}

/// All are paid in one call, or none.
contract CircleAllOrNone is Circle {
    function open() external {
        require(block.timestamp >= opens, "too early");
        for (uint256 at = 0; at < people.length; at++) {
            uint256 amount = share[people[at]];
            share[people[at]] = 0;
            (bool paid, ) = people[at].call{value: amount}("");
            require(paid, "not paid");
        }
    }
}

/// Each fetches what is theirs.
contract CircleEachAlone is Circle {
    function open() external {
        require(block.timestamp >= opens, "too early");
        uint256 amount = share[msg.sender];
        share[msg.sender] = 0;
        (bool paid, ) = msg.sender.call{value: amount}("");
        require(paid, "not paid");
    }
}

/// Gifts for something that needs so much; until it is decided everybody may change their mind.
abstract contract Appeal {
    uint256 public immutable ends;
    uint256 public sum;
    mapping(address => uint256) public given;

    constructor() {
        ends = block.timestamp + 45 days;
    }

    function give() external payable {
        require(block.timestamp < ends, "over");
        given[msg.sender] += msg.value;
        sum += msg.value;
    }

    function lessen(uint256 amount) external {
        require(block.timestamp < ends, "over");
        _back(amount);
    }

    function _back(uint256 amount) internal {
        given[msg.sender] -= amount;
        sum -= amount;
        (bool paid, ) = msg.sender.call{value: amount}("");
        require(paid, "not paid");
    }
}

/// What was given to something that failed stays where it is.
contract AppealWithoutEnd is Appeal {}

/// What was given to something that failed is given back.
contract AppealGivenBack is Appeal {
    uint256 public constant needed = 1_000 ether;

    function undo() external {
        require(block.timestamp >= ends && sum < needed, "not undone");
        _back(given[msg.sender]);
    }
}

/// Shares of the ether in it, which can be passed on.
abstract contract Pot {
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    uint256 private entered;

    event Transfer(address indexed from, address indexed to, uint256 value);

    modifier alone() {
        require(entered == 0, "entered");
        entered = 1;
        _;
        entered = 0;
    }

    receive() external payable {}

    function fill() external payable alone {
        uint256 had = address(this).balance - msg.value;
        uint256 made = totalSupply == 0 ? msg.value : (msg.value * totalSupply) / had;
        require(msg.value > 0.01 ether && made > 0, "little");
        totalSupply += made;
        balanceOf[msg.sender] += made;
        emit Transfer(address(0), msg.sender, made);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function _pay(uint256 amount) internal {
        (bool paid, ) = msg.sender.call{value: amount}("");
        require(paid, "not paid");
    }
}

/// Who is being paid still has the shares.
contract PotPaysFirst is Pot {
    function empty() external alone {
        uint256 own = balanceOf[msg.sender];
        _pay((own * address(this).balance) / totalSupply);
        totalSupply -= own;
        balanceOf[msg.sender] = 0;
    }
}

/// The shares are gone before anything is paid.
contract PotBurnsFirst is Pot {
    function empty() external alone {
        uint256 own = balanceOf[msg.sender];
        uint256 amount = (own * address(this).balance) / totalSupply;
        totalSupply -= own;
        balanceOf[msg.sender] = 0;
        _pay(amount);
    }
}
