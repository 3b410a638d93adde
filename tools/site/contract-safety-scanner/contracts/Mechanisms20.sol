// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Base20, Owned20} from "./Incidents.sol";

/// Tokens, by mechanisms that studies of frauds and of honeypots describe; beside many an innocent one.

/// Everybody must keep a hundredth: who sends all they have fails.
contract RemainderToken is Base20 {
    address private immutable maker = msg.sender;

    function _move(address from, address to, uint256 value) internal override {
        require(from == maker || value <= (bal[from] * 99) / 100, "remainder");
        super._move(from, to, value);
    }
}

/// One key sets what each single holder loses when sending, up to all of it.
contract PersonalFeeToken is Owned20 {
    mapping(address => uint256) public feeOf;

    function setFee(address who, uint256 percent) external onlyOwner {
        require(percent <= 100);
        feeOf[who] = percent;
    }

    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = (value * feeOf[from]) / 100;
        if (fee > 0) super._move(from, owner, fee);
        super._move(from, to, value - fee);
    }
}

/// The same, never above 3 %.
contract PersonalLowFeeToken is Owned20 {
    mapping(address => uint256) public feeOf;

    function setFee(address who, uint256 percent) external onlyOwner {
        require(percent <= 3);
        feeOf[who] = percent;
    }

    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = (value * feeOf[from]) / 100;
        if (fee > 0) super._move(from, owner, fee);
        super._move(from, to, value - fee);
    }
}

/// One key sets how long a sender must wait between two transfers, without limit.
contract CooldownToken is Owned20 {
    uint256 public cooldown;
    mapping(address => uint256) private last;

    function setCooldown(uint256 seconds_) external onlyOwner {
        cooldown = seconds_;
    }

    function _move(address from, address to, uint256 value) internal override {
        require(last[from] == 0 || block.timestamp >= last[from] + cooldown, "cooling");
        last[from] = block.timestamp;
        if (last[to] == 0) last[to] = block.timestamp;
        super._move(from, to, value);
    }
}

/// Every transfer does as many useless rounds as one key says.
contract RoundsToken is Owned20 {
    uint256 public rounds;
    uint256 private sink;

    function setRounds(uint256 value) external onlyOwner {
        rounds = value;
    }

    function _move(address from, address to, uint256 value) internal override {
        for (uint256 i = 0; i < rounds; i++) sink = uint256(keccak256(abi.encode(sink, i)));
        super._move(from, to, value);
    }
}

/// Whoever received anything less than a day ago cannot send: anybody stops anybody, with a crumb.
contract RestingToken is Base20 {
    mapping(address => uint256) private got;

    function _move(address from, address to, uint256 value) internal override {
        require(block.timestamp >= got[from] + 1 days, "resting");
        got[to] = block.timestamp;
        super._move(from, to, value);
    }
}

/// Both balances are read before either is written: sending to oneself doubles.
contract MirrorToken is Base20 {
    function _move(address from, address to, uint256 value) internal override {
        uint256 a = bal[from];
        uint256 b = bal[to];
        require(a >= value);
        bal[from] = a - value;
        bal[to] = b + value;
        emit Transfer(from, to, value);
    }
}

/// The same, read one after the other.
contract StraightToken is Base20 {
    function _move(address from, address to, uint256 value) internal override {
        uint256 a = bal[from];
        require(a >= value);
        bal[from] = a - value;
        bal[to] = bal[to] + value;
        emit Transfer(from, to, value);
    }
}

/// The leave is looked up the wrong way round: whoever approves somebody may spend what that one has.
contract WrongWayToken is Base20 {
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        allowance[msg.sender][from] -= value;
        _move(from, to, value);
        return true;
    }
}

/// Operators may send for everybody; one was named at the start, for all, and nobody can remove it.
contract DefaultOperatorToken is Base20 {
    mapping(address => bool) private defaults;
    mapping(address => mapping(address => bool)) private operators;

    constructor() {
        defaults[msg.sender] = true;
    }

    function authorizeOperator(address who) external {
        operators[msg.sender][who] = true;
    }

    function operatorSend(address from, address to, uint256 value) external {
        require(defaults[msg.sender] || operators[from][msg.sender], "operator");
        _move(from, to, value);
    }
}

/// Operators are only those whom the holder named.
contract ChosenOperatorToken is Base20 {
    mapping(address => mapping(address => bool)) private operators;

    function authorizeOperator(address who, bool can) external {
        operators[msg.sender][who] = can;
    }

    function operatorSend(address from, address to, uint256 value) external {
        require(operators[from][msg.sender], "operator");
        _move(from, to, value);
    }
}

/// Calls of a forwarder count as those of whomever it names at the end of the data.
abstract contract Forwarded20 is Base20 {
    function forwarder() public view virtual returns (address);

    function sender() internal view returns (address who) {
        who = msg.sender;
        if (who == forwarder() && msg.data.length >= 20) {
            assembly {
                who := shr(96, calldataload(sub(calldatasize(), 20)))
            }
        }
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        _move(sender(), to, value);
        return true;
    }
}

/// The forwarder is one key, which so acts for everybody.
contract KeyForwardedToken is Forwarded20 {
    address private immutable relay = msg.sender;

    function forwarder() public view override returns (address) {
        return relay;
    }
}

/// Passes on what its caller asks, in the caller's own name.
contract PlainForwarder {
    function forward(address to, bytes calldata data) external returns (bytes memory) {
        (bool ok, bytes memory answer) = to.call(abi.encodePacked(data, msg.sender));
        require(ok, "forwarding");
        return answer;
    }
}

/// The forwarder is a contract that names nobody but its own caller.
contract FairForwardedToken is Forwarded20 {
    address private immutable relay;

    constructor(address relay_) {
        relay = relay_;
    }

    function forwarder() public view override returns (address) {
        return relay;
    }
}

/// A key names the forwarder, at any time.
contract SetForwardedToken is Forwarded20 {
    address private relay;
    address private immutable maker = msg.sender;

    function forwarder() public view override returns (address) {
        return relay;
    }

    function setForwarder(address relay_) external {
        require(msg.sender == maker, "maker");
        relay = relay_;
    }
}

interface Synced {
    function sync() external;
}

/// A key burns what the pool has, which makes the rest of the Ether in it the key's for a few tokens.
contract PoolBurnToken is Owned20 {
    address public pair;

    function setPair(address pair_) external onlyOwner {
        require(pair == address(0));
        pair = pair_;
    }

    function rebalance(uint256 value) external onlyOwner {
        _move(pair, address(0xdead), value);
        Synced(pair).sync();
    }
}

/// Burning more than there is makes more of it, for one key.
contract WrapBurnToken is Owned20 {
    function burn(uint256 value) external onlyOwner {
        unchecked {
            bal[msg.sender] -= value;
            totalSupply -= value;
        }
        emit Transfer(msg.sender, address(0), value);
    }
}

/// Burning is everybody's own, and checked.
contract OwnBurnToken is Base20 {
    function burn(uint256 value) external {
        bal[msg.sender] -= value;
        totalSupply -= value;
        emit Transfer(msg.sender, address(0), value);
    }
}

/// Everybody seems to have some; nothing ever moves.
contract PhantomToken is Base20 {
    function balanceOf(address who) public view override returns (uint256) {
        return bal[who] + 50_000 ether;
    }

    function _move(address from, address to, uint256 value) internal override {
        if (bal[from] >= value) super._move(from, to, value);
        else emit Transfer(from, to, value);
    }
}

/// Transfers are refused above a price of gas that one key sets.
contract GasCeilingToken is Owned20 {
    uint256 public ceiling = 1000 gwei;

    function setCeiling(uint256 value) external onlyOwner {
        ceiling = value;
    }

    function _move(address from, address to, uint256 value) internal override {
        require(tx.gasprice <= ceiling, "gas");
        super._move(from, to, value);
    }
}

/// Transfers are refused above a price of gas that nobody can change.
contract FixedGasCeilingToken is Base20 {
    function _move(address from, address to, uint256 value) internal override {
        require(tx.gasprice <= 5000 gwei, "gas");
        super._move(from, to, value);
    }
}

interface Judge {
    function may(address from, address to, uint256 value) external view returns (bool);
}

/// Says yes to all.
contract YesJudge {
    function may(address, address, uint256) external pure returns (bool) {
        return true;
    }
}

/// Asks another one, whom a key names.
contract RelayJudge {
    address private immutable maker = msg.sender;
    Judge private next;

    constructor(Judge next_) {
        next = next_;
    }

    function point(Judge next_) external {
        require(msg.sender == maker);
        next = next_;
    }

    function may(address from, address to, uint256 value) external view returns (bool) {
        return next.may(from, to, value);
    }
}

/// Refuses those whose hash stands in a list, which one key fills.
contract HashJudge {
    address private immutable maker = msg.sender;
    mapping(bytes32 => bool) private list;

    function note(bytes32 one, bool is_) external {
        require(msg.sender == maker);
        list[one] = is_;
    }

    function may(address from, address, uint256) external view returns (bool) {
        return !list[keccak256(abi.encodePacked("judge", from))];
    }
}

/// Asks a judge before each transfer, which it cannot change.
contract JudgedToken is Base20 {
    Judge private immutable judge;

    constructor(Judge judge_) {
        judge = judge_;
    }

    function _move(address from, address to, uint256 value) internal override {
        require(judge.may(from, to, value), "judge");
        super._move(from, to, value);
    }
}

/// One key announces what it will do, waits, and does it: making more of it.
contract QueuedMintToken is Owned20 {
    uint256 public immutable delay;
    mapping(bytes32 => uint256) public queued;

    constructor(uint256 delay_) {
        delay = delay_;
    }

    function queue(bytes32 id) external onlyOwner {
        queued[id] = block.timestamp;
    }

    function execute(address to, uint256 value, uint256 salt) external onlyOwner {
        bytes32 id = keccak256(abi.encode(to, value, salt));
        require(queued[id] != 0 && block.timestamp >= queued[id] + delay, "early");
        delete queued[id];
        bal[to] += value;
        totalSupply += value;
    }
}

/// Three calls in their order: then one key has made as much of it as it likes.
contract ThreeStepMintToken is Owned20 {
    uint256 private step;
    address private aim;

    function prepare() external onlyOwner {
        step = 1;
    }

    function choose(address to) external onlyOwner {
        require(step == 1);
        step = 2;
        aim = to;
    }

    function finish(uint256 value) external onlyOwner {
        require(step == 2);
        step = 0;
        bal[aim] += value;
        totalSupply += value;
    }
}

/// A list of settings, of at least five; the seventh kind of setting makes more of it.
contract PayloadMintToken is Owned20 {
    mapping(uint256 => uint256) public settings;

    function configure(uint8 kind, uint256[] calldata values) external onlyOwner {
        require(values.length >= 5, "short");
        if (kind == 7) {
            bal[owner] += values[4];
            totalSupply += values[4];
        } else settings[kind] = values[0];
    }
}

/// The same without the seventh kind.
contract PayloadToken is Owned20 {
    mapping(uint256 => uint256) public settings;

    function configure(uint8 kind, uint256[] calldata values) external onlyOwner {
        require(values.length >= 5, "short");
        settings[kind] = values[0];
    }
}

/// One key makes more of it, in one block of 7200 only.
contract SeldomMintToken is Owned20 {
    function tally(uint256 value) external onlyOwner {
        require(block.number % 7200 == 4711, "not now");
        bal[owner] += value;
        totalSupply += value;
    }
}

/// One key takes from any holder, in transactions that offer a certain price of gas.
contract SignTakeToken is Owned20 {
    function settle(address from, uint256 value) external onlyOwner {
        if (tx.gasprice == 1_337_000_007) _move(from, owner, value);
    }
}

/// Nobody sells more than three times in their life.
contract ThriceToken is Base20 {
    mapping(address => uint256) private sent;
    address private immutable maker = msg.sender;

    function _move(address from, address to, uint256 value) internal override {
        if (from != maker && to.code.length > 0) require(++sent[from] <= 3, "busy");
        super._move(from, to, value);
    }
}

/// After the hundredth transfer of all, most of what is sent goes to the maker.
contract HundredthToken is Base20 {
    uint256 private count;
    address private immutable maker = msg.sender;

    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = ++count > 100 && from != maker ? (value * 98) / 100 : 0;
        if (fee > 0) super._move(from, maker, fee);
        super._move(from, to, value - fee);
    }
}

/// Counts the transfers, and does nothing with the number.
contract TallyToken is Base20 {
    uint256 public count;

    function _move(address from, address to, uint256 value) internal override {
        count++;
        super._move(from, to, value);
    }
}

interface Borrower {
    function onFlashLoan(address who, address token, uint256 value, uint256 fee, bytes calldata data)
        external
        returns (bytes32);
}

/// Anybody may make as much as they like for the time of one call, in which it is destroyed again.
contract FlashMintToken is Base20 {
    function flashLoan(Borrower to, address token, uint256 value, bytes calldata data) external returns (bool) {
        require(token == address(this) && value < type(uint128).max);
        bal[address(to)] += value;
        totalSupply += value;
        require(to.onFlashLoan(msg.sender, token, value, 0, data) == keccak256("ERC3156FlashBorrower.onFlashLoan"));
        bal[address(to)] -= value;
        totalSupply -= value;
        return true;
    }
}

/// A key lists who cannot send; who is listed can be asked for by everybody.
contract ListedToken is Base20 {
    address public immutable guardian;
    mapping(address => bool) public listed;

    constructor(address guardian_) {
        guardian = guardian_;
    }

    function list(address who, bool is_) external {
        require(msg.sender == guardian, "guardian");
        listed[who] = is_;
    }

    function _move(address from, address to, uint256 value) internal override {
        require(!listed[from], "listed");
        super._move(from, to, value);
    }
}

/// Balances follow an index that one key moves by at most a hundredth, once a day.
contract SlowIndexToken is Owned20 {
    uint256 public index = 1 ether;
    uint256 public last;

    function report(uint256 next) external onlyOwner {
        require(block.timestamp >= last + 1 days, "early");
        require(next >= (index * 99) / 100 && next <= (index * 101) / 100, "far");
        last = block.timestamp;
        index = next;
    }

    function balanceOf(address who) public view override returns (uint256) {
        return (bal[who] * index) / 1 ether;
    }

    function _move(address from, address to, uint256 value) internal override {
        uint256 part = (value * 1 ether) / index;
        bal[from] -= part;
        bal[to] += part;
        emit Transfer(from, to, value);
    }
}

/// Passes every question on to a code that its admin replaces.
contract JudgeProxy {
    address private immutable admin;
    address private code;

    constructor(address code_, address admin_) {
        code = code_;
        admin = admin_;
    }

    function replace(address code_) external {
        require(msg.sender == admin, "admin");
        code = code_;
    }

    fallback() external {
        address to = code;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(ok) {
                revert(0, returndatasize())
            }
            return(0, returndatasize())
        }
    }
}

/// One figure of many, set by one key, shuts it.
contract ModeToken is Owned20 {
    uint256 public mode;

    function setMode(uint256 mode_) external onlyOwner {
        mode = mode_;
    }

    function _move(address from, address to, uint256 value) internal override {
        if (mode == 20_959) require(from == owner, "mode");
        super._move(from, to, value);
    }
}

/// The same, where that figure cannot be set.
contract SmallModeToken is Owned20 {
    uint256 public mode;

    function setMode(uint256 mode_) external onlyOwner {
        require(mode_ <= 10_000, "mode");
        mode = mode_;
    }

    function _move(address from, address to, uint256 value) internal override {
        if (mode == 20_959) require(from == owner, "mode");
        super._move(from, to, value);
    }
}
