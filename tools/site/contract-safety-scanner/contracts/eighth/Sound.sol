// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

contract VoucherDesk is EIP712 {
    bytes32 private constant VOUCHER =
        keccak256("Voucher(address drawer,address payee,uint256 amount,uint256 serial,uint256 deadline)");
    mapping(address => uint256) public funds;
    mapping(address => mapping(uint256 => bool)) public spent;

    event Paid(address indexed drawer, address indexed payee, uint256 amount, uint256 serial);

    error Expired();
    error Spent();
    error BadSigner();
    error PaymentFailed();

    constructor() EIP712("VoucherDesk", "1") {}

    function fund() external payable {
        funds[msg.sender] += msg.value;
    }

    function tearUp(uint256 serial) external {
        spent[msg.sender][serial] = true;
    }

    function cash(address drawer, address payee, uint256 amount, uint256 serial, uint256 deadline, bytes calldata sig)
        external
    {
        if (block.timestamp > deadline) revert Expired();
        if (spent[drawer][serial]) revert Spent();
        bytes32 h = _hashTypedDataV4(keccak256(abi.encode(VOUCHER, drawer, payee, amount, serial, deadline)));
        if (ECDSA.recover(h, sig) != drawer) revert BadSigner();
        spent[drawer][serial] = true;
        funds[drawer] -= amount;
        emit Paid(drawer, payee, amount, serial);
        (bool ok, ) = payee.call{value: amount}("");
        if (!ok) revert PaymentFailed();
    }

    function withdraw(uint256 amount) external {
        funds[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        if (!ok) revert PaymentFailed();
    }
}

contract PermitGate {
    using SafeERC20 for IERC20;

    IERC20 public immutable coin;
    mapping(address => uint256) public stakeOf;

    constructor(IERC20 coin_) {
        coin = coin_;
    }

    function join(uint256 amount, address receiver) public {
        coin.safeTransferFrom(msg.sender, address(this), amount);
        stakeOf[receiver] += amount;
    }

    function joinWithPermit(uint256 amount, address receiver, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        try IERC20Permit(address(coin)).permit(msg.sender, address(this), amount, deadline, v, r, s) {} catch {}
        join(amount, receiver);
    }

    function leave(uint256 amount, address to) external {
        stakeOf[msg.sender] -= amount;
        coin.safeTransfer(to, amount);
    }
}

contract HarborVault is ERC4626 {
    constructor(IERC20 asset_) ERC20("Harbor Vault", "hvHBD") ERC4626(asset_) {}

    function _decimalsOffset() internal pure override returns (uint8) {
        return 6;
    }
}

contract TideStake is ERC20 {
    using SafeERC20 for IERC20;

    uint256 private constant SCALE = 1e30;
    IERC20 public immutable stakeCoin;
    IERC20 public immutable rewardCoin;
    uint256 public index;
    mapping(address => uint256) public indexOf;
    mapping(address => uint256) public accrued;

    constructor(IERC20 stakeCoin_, IERC20 rewardCoin_) ERC20("Tide Stake", "TIDE") {
        require(address(stakeCoin_) != address(rewardCoin_), "same");
        stakeCoin = stakeCoin_;
        rewardCoin = rewardCoin_;
    }

    function stake(uint256 amount) external {
        _mint(msg.sender, amount);
        stakeCoin.safeTransferFrom(msg.sender, address(this), amount);
    }

    function unstake(uint256 amount) external {
        _burn(msg.sender, amount);
        stakeCoin.safeTransfer(msg.sender, amount);
    }

    function claim() external returns (uint256 amount) {
        _settle(msg.sender);
        amount = accrued[msg.sender];
        accrued[msg.sender] = 0;
        rewardCoin.safeTransfer(msg.sender, amount);
    }

    function addReward(uint256 amount) external {
        require(totalSupply() > 0, "nobody");
        rewardCoin.safeTransferFrom(msg.sender, address(this), amount);
        index += (amount * SCALE) / totalSupply();
    }

    function _settle(address who) private {
        accrued[who] += (balanceOf(who) * (index - indexOf[who])) / SCALE;
        indexOf[who] = index;
    }

    function _update(address from, address to, uint256 value) internal override {
        if (from != address(0)) _settle(from);
        if (to != address(0)) _settle(to);
        super._update(from, to, value);
    }
}

contract LeafDrop {
    using SafeERC20 for IERC20;

    IERC20 public immutable token;
    address public immutable publisher;
    bytes32 public root;
    mapping(uint256 => uint256) private _words;

    event Claimed(uint256 indexed index, address indexed account, uint256 amount);

    constructor(IERC20 token_, address publisher_) {
        token = token_;
        publisher = publisher_;
    }

    function setRoot(bytes32 root_) external {
        require(msg.sender == publisher, "publisher");
        require(root == bytes32(0) && root_ != bytes32(0), "once");
        root = root_;
    }

    function isClaimed(uint256 index) public view returns (bool) {
        return _words[index / 256] & (1 << (index % 256)) != 0;
    }

    function claim(uint256 index, address account, uint256 amount, bytes32[] calldata proof) external {
        require(root != bytes32(0), "no root");
        require(!isClaimed(index), "claimed");
        bytes32 leaf = keccak256(bytes.concat(keccak256(abi.encode(index, account, amount))));
        require(MerkleProof.verifyCalldata(proof, root, leaf), "proof");
        _words[index / 256] |= 1 << (index % 256);
        token.safeTransfer(account, amount);
        emit Claimed(index, account, amount);
    }
}

contract QuietBank is ReentrancyGuard {
    mapping(address => uint256) public balances;

    function deposit() external payable nonReentrant {
        balances[msg.sender] += msg.value;
    }

    function move(address to, uint256 amount) external nonReentrant {
        require(to != address(0), "to");
        balances[msg.sender] -= amount;
        balances[to] += amount;
    }

    function withdrawAll(address payable to) external nonReentrant returns (bool ok) {
        uint256 amount = balances[msg.sender];
        balances[msg.sender] = 0;
        (ok, ) = to.call{value: amount}("");
        if (!ok) balances[msg.sender] += amount;
    }
}

contract BatchLedger {
    using SafeERC20 for IERC20;

    IERC20 public immutable coin;
    mapping(address => uint256) public ledger;

    constructor(IERC20 coin_) {
        coin = coin_;
    }

    function deposit(uint256 amount) external {
        coin.safeTransferFrom(msg.sender, address(this), amount);
        ledger[msg.sender] += amount;
    }

    function pay(address to, uint256 amount) external {
        require(to != address(0), "to");
        ledger[msg.sender] -= amount;
        ledger[to] += amount;
    }

    function withdraw(uint256 amount) external {
        ledger[msg.sender] -= amount;
        coin.safeTransfer(msg.sender, amount);
    }

    function multicall(bytes[] calldata calls) external returns (bytes[] memory results) {
        results = new bytes[](calls.length);
        for (uint256 i; i < calls.length; ++i) {
            (bool ok, bytes memory result) = address(this).delegatecall(calls[i]);
            if (!ok) {
                assembly {
                    revert(add(result, 32), mload(result))
                }
            }
            results[i] = result;
        }
    }
}

contract SpendRunner {
    using SafeERC20 for IERC20;

    address private immutable router = msg.sender;

    function run(IERC20 coinIn, IERC20 coinOut, address target, bytes calldata data, address to) external returns (uint256 out) {
        require(msg.sender == router, "router");
        coinIn.forceApprove(target, coinIn.balanceOf(address(this)));
        (bool ok, bytes memory err) = target.call(data);
        if (!ok) {
            assembly {
                revert(add(err, 32), mload(err))
            }
        }
        coinIn.forceApprove(target, 0);
        out = coinOut.balanceOf(address(this));
        if (out > 0) coinOut.safeTransfer(to, out);
        uint256 rest = coinIn.balanceOf(address(this));
        if (rest > 0) coinIn.safeTransfer(to, rest);
    }
}

contract SpendRouter is ReentrancyGuard {
    using SafeERC20 for IERC20;

    event Swapped(address indexed who, address coinIn, address coinOut, uint256 amountIn, uint256 out);

    function swap(IERC20 coinIn, uint256 amountIn, IERC20 coinOut, uint256 minOut, address target, bytes calldata data)
        external
        nonReentrant
        returns (uint256 out)
    {
        require(coinIn != coinOut, "same coin");
        SpendRunner runner = new SpendRunner();
        coinIn.safeTransferFrom(msg.sender, address(runner), amountIn);
        uint256 before = coinOut.balanceOf(msg.sender);
        runner.run(coinIn, coinOut, target, data, msg.sender);
        out = coinOut.balanceOf(msg.sender) - before;
        require(out >= minOut, "minOut");
        emit Swapped(msg.sender, address(coinIn), address(coinOut), amountIn, out);
    }
}

contract GrantBallot {
    using SafeERC20 for IERC20;

    IERC20 public immutable voice;
    address public immutable left;
    address public immutable right;
    uint256 public immutable endsAt;
    uint256 public leftVotes;
    uint256 public rightVotes;
    uint256 public grant;
    bool public decided;
    mapping(address => uint256) public lockedLeft;
    mapping(address => uint256) public lockedRight;
    mapping(address => uint256) public payable_;

    constructor(IERC20 voice_, address left_, address right_) {
        require(left_ != address(0) && right_ != address(0) && left_ != right_, "sides");
        voice = voice_;
        left = left_;
        right = right_;
        endsAt = block.timestamp + 7 days;
    }

    function sponsor() external payable {
        require(block.timestamp < endsAt, "over");
        grant += msg.value;
    }

    function vote(bool forLeft, uint256 amount) external {
        require(block.timestamp < endsAt, "over");
        if (forLeft) {
            lockedLeft[msg.sender] += amount;
            leftVotes += amount;
        } else {
            lockedRight[msg.sender] += amount;
            rightVotes += amount;
        }
        voice.safeTransferFrom(msg.sender, address(this), amount);
    }

    function unlock() external {
        require(block.timestamp >= endsAt, "running");
        uint256 amount = lockedLeft[msg.sender] + lockedRight[msg.sender];
        lockedLeft[msg.sender] = 0;
        lockedRight[msg.sender] = 0;
        voice.safeTransfer(msg.sender, amount);
    }

    function decide() external {
        require(block.timestamp >= endsAt && !decided, "decide");
        decided = true;
        if (leftVotes > rightVotes) {
            payable_[left] = grant;
        } else if (rightVotes > leftVotes) {
            payable_[right] = grant;
        } else {
            payable_[left] = grant / 2;
            payable_[right] = grant - grant / 2;
        }
    }

    function collect(address to) external {
        uint256 amount = payable_[msg.sender];
        payable_[msg.sender] = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "collect");
    }
}

contract CardAuction {
    IERC721 public immutable cards;

    struct Sale {
        address seller;
        uint64 endsAt;
        address leader;
        uint256 bid;
        bool settled;
    }
    mapping(uint256 => mapping(uint256 => Sale)) private _sales;
    mapping(uint256 => uint256) public rounds;
    mapping(address => uint256) public owed;

    constructor(IERC721 cards_) {
        cards = cards_;
    }

    function sale(uint256 id) public view returns (Sale memory) {
        return _sales[id][rounds[id]];
    }

    function start(uint256 id, uint256 firstBid, uint64 duration) external {
        require(duration >= 1 hours && duration <= 14 days, "duration");
        require(firstBid > 0, "first bid");
        uint256 round = ++rounds[id];
        _sales[id][round] = Sale(msg.sender, uint64(block.timestamp) + duration, address(0), firstBid, false);
        cards.transferFrom(msg.sender, address(this), id);
    }

    function bid(uint256 id) external payable {
        Sale storage s = _sales[id][rounds[id]];
        require(s.seller != address(0) && block.timestamp < s.endsAt, "closed");
        if (s.leader == address(0)) {
            require(msg.value >= s.bid, "too low");
        } else {
            require(msg.value >= s.bid + s.bid / 20 + 1, "too low");
            owed[s.leader] += s.bid;
        }
        s.leader = msg.sender;
        s.bid = msg.value;
    }

    function settle(uint256 id) external {
        Sale storage s = _sales[id][rounds[id]];
        require(s.seller != address(0) && block.timestamp >= s.endsAt && !s.settled, "settle");
        s.settled = true;
        address to = s.leader;
        if (to == address(0)) {
            to = s.seller;
        } else {
            owed[s.seller] += s.bid;
        }
        cards.transferFrom(address(this), to, id);
    }

    function collect(address payable to) external {
        uint256 amount = owed[msg.sender];
        owed[msg.sender] = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "collect");
    }
}

contract LimitShelf {
    using SafeERC20 for IERC20;

    IERC20 public immutable goods;
    IERC20 public immutable money;

    struct Order {
        address maker;
        uint256 left;
        uint256 price;
    }
    Order[] public orders;

    constructor(IERC20 goods_, IERC20 money_) {
        require(goods_ != money_, "same");
        goods = goods_;
        money = money_;
    }

    function place(uint256 amount, uint256 priceFor1e18) external returns (uint256 id) {
        require(amount > 0 && priceFor1e18 > 0, "zero");
        id = orders.length;
        orders.push(Order(msg.sender, amount, priceFor1e18));
        goods.safeTransferFrom(msg.sender, address(this), amount);
    }

    function cancel(uint256 id) external {
        Order storage o = orders[id];
        require(o.maker == msg.sender, "maker");
        uint256 amount = o.left;
        o.left = 0;
        goods.safeTransfer(msg.sender, amount);
    }

    function fill(uint256 id, uint256 amount, uint256 maxPay) external {
        Order storage o = orders[id];
        require(amount > 0 && amount <= o.left, "amount");
        uint256 pay = Math.mulDiv(amount, o.price, 1e18, Math.Rounding.Ceil);
        require(pay <= maxPay, "max");
        o.left -= amount;
        money.safeTransferFrom(msg.sender, o.maker, pay);
        goods.safeTransfer(msg.sender, amount);
    }
}

contract StillShell {
    address private immutable body;

    constructor(address body_, address coin_) {
        require(body_.code.length > 0, "body");
        body = body_;
        (bool ok, ) = body_.delegatecall(abi.encodeWithSignature("begin(address)", coin_));
        require(ok, "begin");
    }

    function keep(uint256) external {
        _still();
    }

    function unkeep(uint256) external {
        _still();
    }

    fallback() external {
        _still();
    }

    function _still() private {
        address b = body;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), b, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(ok) {
                revert(0, returndatasize())
            }
            return(0, returndatasize())
        }
    }
}

contract StillBody {
    using SafeERC20 for IERC20;

    IERC20 public coin;
    bool public begun;
    mapping(address => uint256) public kept;

    constructor() {
        begun = true;
    }

    function begin(IERC20 coin_) external {
        require(!begun, "begun");
        begun = true;
        coin = coin_;
    }

    function keep(uint256 amount) external {
        coin.safeTransferFrom(msg.sender, address(this), amount);
        kept[msg.sender] += amount;
    }

    function unkeep(uint256 amount) external {
        kept[msg.sender] -= amount;
        coin.safeTransfer(msg.sender, amount);
    }
}

contract LotLocker {
    using SafeERC20 for IERC20;

    IERC20 public immutable token;

    struct Lot {
        address owner;
        uint64 opensAt;
        uint256 amount;
    }
    Lot[] public lots;

    event Locked(uint256 indexed lot, address indexed owner, uint256 amount, uint64 opensAt);

    constructor(IERC20 token_) {
        token = token_;
    }

    function lockFor(address owner, uint256 amount, uint64 term) external returns (uint256 lot) {
        require(owner != address(0) && amount > 0 && term <= 365 days, "terms");
        token.safeTransferFrom(msg.sender, address(this), amount);
        lot = lots.length;
        uint64 opensAt = uint64(block.timestamp) + term;
        lots.push(Lot(owner, opensAt, amount));
        emit Locked(lot, owner, amount, opensAt);
    }

    function open(uint256 lot) external {
        Lot storage l = lots[lot];
        require(msg.sender == l.owner && block.timestamp >= l.opensAt, "closed");
        uint256 amount = l.amount;
        l.amount = 0;
        token.safeTransfer(msg.sender, amount);
    }
}

contract MeasuredShelf is ReentrancyGuard {
    using SafeERC20 for IERC20;

    mapping(address => mapping(address => uint256)) public shelf;

    event Put(address indexed coin, address indexed who, uint256 got);
    event Took(address indexed coin, address indexed who, uint256 amount);

    function put(address coin, uint256 amount) external nonReentrant {
        uint256 before = IERC20(coin).balanceOf(address(this));
        IERC20(coin).safeTransferFrom(msg.sender, address(this), amount);
        uint256 got = IERC20(coin).balanceOf(address(this)) - before;
        shelf[coin][msg.sender] += got;
        emit Put(coin, msg.sender, got);
    }

    function take(address coin, uint256 amount) external nonReentrant {
        shelf[coin][msg.sender] -= amount;
        IERC20(coin).safeTransfer(msg.sender, amount);
        emit Took(coin, msg.sender, amount);
    }
}
