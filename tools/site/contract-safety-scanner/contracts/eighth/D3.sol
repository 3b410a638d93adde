// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

contract GroupPurse {
    address[] public members;
    mapping(address => uint256) public paidIn;

    event Joined(address member, uint256 amount);
    event SettledUp(uint256 members);

    function join() external payable {
        require(msg.value >= 0.01 ether, "minimum");
        if (paidIn[msg.sender] == 0) {
            require(members.length < 50, "full");
            members.push(msg.sender);
        }
        paidIn[msg.sender] += msg.value;
        emit Joined(msg.sender, msg.value);
    }

    function settleUp() external {
        require(paidIn[msg.sender] > 0, "members only");
        address[] memory list = members;
        delete members;
        for (uint256 i; i < list.length; ++i) {
            uint256 amount = paidIn[list[i]];
            paidIn[list[i]] = 0;
            (bool ok, ) = list[i].call{value: amount}("");
            require(ok, "payment failed");
        }
        emit SettledUp(list.length);
    }
}

contract LongLock {
    using SafeERC20 for IERC20;

    uint256 public constant TERM = 30 days;
    IERC20 public immutable token;

    struct Account {
        uint128 amount;
        uint64 unlockAt;
    }
    mapping(address => Account) public accounts;

    constructor(address token_) {
        token = IERC20(token_);
    }

    function depositFor(address user, uint128 amount) public {
        require(amount > 0, "zero");
        token.safeTransferFrom(msg.sender, address(this), amount);
        Account storage a = accounts[user];
        a.amount += amount;
        a.unlockAt = uint64(block.timestamp + TERM);
    }

    function deposit(uint128 amount) external {
        depositFor(msg.sender, amount);
    }

    function withdraw() external {
        Account memory a = accounts[msg.sender];
        require(a.amount > 0, "nothing");
        require(block.timestamp >= a.unlockAt, "locked");
        delete accounts[msg.sender];
        token.safeTransfer(msg.sender, a.amount);
    }
}

contract BatchWallet {
    mapping(address => uint256) public balances;

    event Put(address indexed who, uint256 amount);
    event Took(address indexed who, uint256 amount);

    function deposit() external payable {
        balances[msg.sender] += msg.value;
        emit Put(msg.sender, msg.value);
    }

    function pay(address to, uint256 amount) external payable {
        balances[msg.sender] -= amount;
        balances[to] += amount;
    }

    function withdraw(uint256 amount) external payable {
        balances[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "withdraw");
        emit Took(msg.sender, amount);
    }

    function multicall(bytes[] calldata calls) external payable returns (bytes[] memory out) {
        out = new bytes[](calls.length);
        for (uint256 i; i < calls.length; i++) {
            (bool ok, bytes memory res) = address(this).delegatecall(calls[i]);
            if (!ok) {
                assembly {
                    revert(add(res, 32), mload(res))
                }
            }
            out[i] = res;
        }
    }
}

interface IMailPost {
    function dispatch(address to, bytes calldata body) external;
}

contract LaneVault {
    using SafeERC20 for IERC20;

    IMailPost public immutable post;
    IERC20 public immutable coin;
    uint32 public immutable lane;
    address public farSide;
    uint256 public outstanding;

    event Sent(address indexed from, address indexed to, uint256 amount);
    event Released(address indexed to, uint256 amount);

    error OnlyPost();
    error WrongLane();

    constructor(IMailPost post_, IERC20 coin_, address farSide_) {
        post = post_;
        coin = coin_;
        farSide = farSide_;
        lane = uint32(block.chainid);
    }

    function send(address to, uint256 amount) external {
        coin.safeTransferFrom(msg.sender, address(this), amount);
        outstanding += amount;
        post.dispatch(farSide, abi.encode(to, amount));
        emit Sent(msg.sender, to, amount);
    }

    function handle(uint32 origin, bytes32, bytes calldata body) external {
        if (msg.sender != address(post)) revert OnlyPost();
        if (origin != lane) revert WrongLane();
        (address to, uint256 amount) = abi.decode(body, (address, uint256));
        outstanding -= amount;
        coin.safeTransfer(to, amount);
        emit Released(to, amount);
    }
}

contract FarPurse {
    IMailPost public immutable post;
    mapping(address => uint256) public held;
    address public nearSide;
    address private immutable maker = msg.sender;

    constructor(IMailPost post_) {
        post = post_;
    }

    function pair(address nearSide_) external {
        require(msg.sender == maker && nearSide == address(0), "paired");
        nearSide = nearSide_;
    }

    function handle(uint32, bytes32 sender, bytes calldata body) external {
        require(msg.sender == address(post) && sender == bytes32(uint256(uint160(nearSide))), "sender");
        (address to, uint256 amount) = abi.decode(body, (address, uint256));
        held[to] += amount;
    }

    function back(address to, uint256 amount) external {
        held[msg.sender] -= amount;
        post.dispatch(nearSide, abi.encode(to, amount));
    }
}

contract TitheSavings {
    using SafeERC20 for IERC20;

    IERC20 public immutable tithe;
    uint256 public total;
    mapping(address => uint256) public savings;

    constructor(IERC20 tithe_) {
        tithe = tithe_;
    }

    function deposit(uint256 amount) external {
        tithe.safeTransferFrom(msg.sender, address(this), amount);
        savings[msg.sender] += amount;
        total += amount;
    }

    function withdraw(uint256 amount) external {
        savings[msg.sender] -= amount;
        total -= amount;
        tithe.safeTransfer(msg.sender, (amount * 50) / 49);
    }
}

contract AnyCoinBank {
    address public constant NATIVE = address(0);
    mapping(address => mapping(address => uint256)) public balanceOf;

    event Deposited(address indexed coin, address indexed who, uint256 amount);
    event Withdrawn(address indexed coin, address indexed who, uint256 amount);

    error CallFailed(address coin);

    receive() external payable {
        depositNative();
    }

    function depositNative() public payable {
        balanceOf[NATIVE][msg.sender] += msg.value;
        emit Deposited(NATIVE, msg.sender, msg.value);
    }

    function deposit(address coin, uint256 amount) external {
        _invoke(coin, abi.encodeWithSelector(0x23b872dd, msg.sender, address(this), amount));
        balanceOf[coin][msg.sender] += amount;
        emit Deposited(coin, msg.sender, amount);
    }

    function withdraw(address coin, uint256 amount) external {
        balanceOf[coin][msg.sender] -= amount;
        if (coin == NATIVE) {
            (bool ok, ) = msg.sender.call{value: amount}("");
            if (!ok) revert CallFailed(coin);
        } else {
            _invoke(coin, abi.encodeWithSelector(0xa9059cbb, msg.sender, amount));
        }
        emit Withdrawn(coin, msg.sender, amount);
    }

    function _invoke(address coin, bytes memory data) private {
        (bool ok, bytes memory ret) = coin.call(data);
        if (!ok || (ret.length != 0 && !abi.decode(ret, (bool)))) revert CallFailed(coin);
    }
}

contract BackedNote {
    string public constant name = "Backed Note";
    string public constant symbol = "NOTE";
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function issue() external payable {
        totalSupply += msg.value;
        balanceOf[msg.sender] += msg.value;
        emit Transfer(address(0), msg.sender, msg.value);
    }

    function redeem(uint256 value) external {
        balanceOf[msg.sender] -= value;
        totalSupply -= value;
        emit Transfer(msg.sender, address(0), value);
        (bool ok, ) = msg.sender.call{value: value}("");
        require(ok, "redeem");
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
        uint256 may = allowance[from][msg.sender];
        require(may >= value, "allowance");
        if (may != type(uint256).max) allowance[from][msg.sender] = may - value;
        _move(from, to, value);
        return true;
    }

    function _move(address from, address to, uint256 value) private {
        require(to != address(0), "to");
        uint256 a = balanceOf[from];
        uint256 b = balanceOf[to];
        require(a >= value, "balance");
        balanceOf[from] = a - value;
        balanceOf[to] = b + value;
        emit Transfer(from, to, value);
    }
}

contract GavelHall {
    struct Lot {
        address seller;
        IERC721 nft;
        uint256 id;
        address leader;
        uint256 top;
        bool sold;
    }

    Lot[] public lots;
    mapping(uint256 => mapping(address => uint256)) public bidOf;
    mapping(address => uint256) public proceeds;

    event NewLot(uint256 lot, address seller);
    event Bid(uint256 lot, address bidder, uint256 amount);
    event Sold(uint256 lot, address winner, uint256 amount);

    function consign(IERC721 nft, uint256 id, uint256 reserve) external returns (uint256 lot) {
        lot = lots.length;
        lots.push(Lot(msg.sender, nft, id, address(0), reserve, false));
        nft.transferFrom(msg.sender, address(this), id);
        emit NewLot(lot, msg.sender);
    }

    function bid(uint256 lot) external payable {
        Lot storage l = lots[lot];
        require(l.seller != address(0) && !l.sold, "closed");
        uint256 mine = bidOf[lot][msg.sender] + msg.value;
        require(mine > l.top, "too low");
        bidOf[lot][msg.sender] = mine;
        l.leader = msg.sender;
        l.top = mine;
        emit Bid(lot, msg.sender, mine);
    }

    function reclaim(uint256 lot) external {
        uint256 mine = bidOf[lot][msg.sender];
        require(mine > 0, "no bid");
        bidOf[lot][msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: mine}("");
        require(ok, "refund");
    }

    function hammer(uint256 lot) external {
        Lot storage l = lots[lot];
        require(msg.sender == l.seller, "seller");
        require(!l.sold && l.leader != address(0), "no bids");
        l.sold = true;
        bidOf[lot][l.leader] = 0;
        proceeds[l.seller] += l.top;
        l.nft.transferFrom(address(this), l.leader, l.id);
        emit Sold(lot, l.leader, l.top);
    }

    function collect() external {
        uint256 amount = proceeds[msg.sender];
        proceeds[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "collect");
    }
}

interface IDeskFeed {
    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80);
}

contract MarginDesk {
    using SafeERC20 for IERC20;

    IERC20 public immutable grain;
    IERC20 public immutable dollar;
    IDeskFeed public immutable feed;

    struct Position {
        uint256 grains;
        uint256 debt;
    }
    mapping(address => Position) public positions;
    mapping(address => uint256) public lent;

    error Unsafe();
    error Healthy();

    constructor(IERC20 g, IERC20 d, IDeskFeed f) {
        grain = g;
        dollar = d;
        feed = f;
    }

    function dollarsFor(uint256 grains) public view returns (uint256) {
        (, int256 p, , , ) = feed.latestRoundData();
        return (grains * uint256(p)) / 1e20;
    }

    function grainsFor(uint256 dollars) public view returns (uint256) {
        (, int256 p, , , ) = feed.latestRoundData();
        return (dollars * 1e20) / uint256(p);
    }

    function safe(address who) public view returns (bool) {
        Position memory p = positions[who];
        return p.debt * 100 <= dollarsFor(p.grains) * 70;
    }

    function lend(uint256 dollars) external {
        lent[msg.sender] += dollars;
        dollar.safeTransferFrom(msg.sender, address(this), dollars);
    }

    function unlend(uint256 dollars) external {
        lent[msg.sender] -= dollars;
        dollar.safeTransfer(msg.sender, dollars);
    }

    function open(uint256 grains, uint256 dollars) external {
        positions[msg.sender].grains += grains;
        positions[msg.sender].debt += dollars;
        if (!safe(msg.sender)) revert Unsafe();
        grain.safeTransferFrom(msg.sender, address(this), grains);
        dollar.safeTransfer(msg.sender, dollars);
    }

    function free(uint256 grains) external {
        positions[msg.sender].grains -= grains;
        if (!safe(msg.sender)) revert Unsafe();
        grain.safeTransfer(msg.sender, grains);
    }

    function unwind(address who, uint256 dollars) external {
        if (who != msg.sender && safe(who)) revert Healthy();
        Position storage p = positions[who];
        uint256 pays = dollars < p.debt ? dollars : p.debt;
        uint256 seized = grainsFor(dollars);
        if (who != msg.sender) seized = (seized * 105) / 100;
        p.debt -= pays;
        p.grains = seized < p.grains ? p.grains - seized : 0;
        dollar.safeTransferFrom(msg.sender, address(this), pays);
        grain.safeTransfer(msg.sender, seized);
    }
}

contract PurseShell {
    address public keyholder;
    address public code;

    constructor(address code_, address coin_) {
        keyholder = msg.sender;
        code = code_;
        (bool ok, ) = code_.delegatecall(abi.encodeWithSignature("setUp(address)", coin_));
        require(ok, "set up");
    }

    function swapCode(address code_) external {
        require(msg.sender == keyholder, "keyholder");
        code = code_;
    }

    function save(uint256) external {
        _pass();
    }

    function unsave(uint256) external {
        _pass();
    }

    fallback() external payable {
        _pass();
    }

    function _pass() private {
        address c = code;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), c, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 {
                revert(0, returndatasize())
            }
            default {
                return(0, returndatasize())
            }
        }
    }
}

contract PurseBody {
    using SafeERC20 for IERC20;

    address public lastSaver;
    address private gapA;
    IERC20 public coin;
    mapping(address => uint256) public saved;

    function setUp(IERC20 coin_) external {
        require(address(coin) == address(0), "set");
        coin = coin_;
    }

    function save(uint256 amount) external {
        coin.safeTransferFrom(msg.sender, address(this), amount);
        saved[msg.sender] += amount;
        lastSaver = msg.sender;
    }

    function unsave(uint256 amount) external {
        saved[msg.sender] -= amount;
        coin.safeTransfer(msg.sender, amount);
    }
}
