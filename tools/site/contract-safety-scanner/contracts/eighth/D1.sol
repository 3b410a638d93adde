// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";

contract ChequeBook {
    mapping(address => uint256) public funds;
    mapping(bytes32 => bool) public cashed;

    event Funded(address indexed drawer, uint256 amount);
    event Cashed(address indexed drawer, address indexed payee, uint256 amount, uint256 serial);

    error AlreadyCashed();
    error NotDrawer();
    error PaymentFailed();

    function fund(address drawer) external payable {
        funds[drawer] += msg.value;
        emit Funded(drawer, msg.value);
    }

    function chequeHash(address drawer, address payee, uint256 amount, uint256 serial) public view returns (bytes32) {
        return keccak256(
            abi.encodePacked(
                "\x19Ethereum Signed Message:\n32",
                keccak256(abi.encode(block.chainid, address(this), drawer, payee, amount, serial))
            )
        );
    }

    function cash(address drawer, address payable payee, uint256 amount, uint256 serial, bytes calldata sig) external {
        bytes32 mark = keccak256(sig);
        if (cashed[mark]) revert AlreadyCashed();
        (bytes32 r, bytes32 s, uint8 v) = abi.decode(sig, (bytes32, bytes32, uint8));
        address signer = ecrecover(chequeHash(drawer, payee, amount, serial), v, r, s);
        if (signer == address(0) || signer != drawer) revert NotDrawer();
        cashed[mark] = true;
        funds[drawer] -= amount;
        emit Cashed(drawer, payee, amount, serial);
        (bool ok, ) = payee.call{value: amount}("");
        if (!ok) revert PaymentFailed();
    }

    function withdraw(uint256 amount) external {
        funds[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        if (!ok) revert PaymentFailed();
    }
}

contract KinBox {
    mapping(address => uint256) public held;
    mapping(address => address) public kin;
    mapping(address => uint256) public turn;

    function put() external payable {
        held[msg.sender] += msg.value;
    }

    function nameKin(address who) external {
        kin[msg.sender] = who;
    }

    function take(uint256 amount) external {
        require(held[msg.sender] >= amount, "too much");
        held[msg.sender] -= amount;
        _send(msg.sender, amount);
    }

    function inheritHash(address owner, address heir) public view returns (bytes32) {
        bytes32 inner = keccak256(abi.encode("inherit", block.chainid, address(this), owner, heir, turn[owner]));
        return keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", inner));
    }

    function inherit(address owner, address heir, uint8 v, bytes32 r, bytes32 s) external {
        require(uint256(s) <= 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0, "s");
        address signer = ecrecover(inheritHash(owner, heir), v, r, s);
        require(signer == kin[owner], "not kin");
        turn[owner]++;
        uint256 amount = held[owner];
        held[owner] = 0;
        _send(heir, amount);
    }

    function _send(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "send");
    }
}

contract OfferBook {
    using SafeERC20 for IERC20;

    bytes32 public immutable DOMAIN;
    bytes32 private constant OFFER =
        keccak256("Offer(address maker,address sell,uint256 sellAmount,address buy,uint256 buyAmount,uint256 salt)");
    mapping(bytes32 => bool) public closed;

    event Taken(bytes32 indexed id, address indexed maker, address indexed taker);

    constructor() {
        DOMAIN = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("OfferBook"),
                keccak256("1"),
                block.chainid,
                address(this)
            )
        );
    }

    function offerId(address maker, address sell, uint256 sellAmount, address buy, uint256 buyAmount, uint256 salt)
        public
        view
        returns (bytes32)
    {
        bytes32 body = keccak256(abi.encode(OFFER, maker, sell, sellAmount, buy, buyAmount, salt));
        return keccak256(abi.encodePacked("\x19\x01", DOMAIN, body));
    }

    function withdrawOffer(address sell, uint256 sellAmount, address buy, uint256 buyAmount, uint256 salt) external {
        closed[offerId(msg.sender, sell, sellAmount, buy, buyAmount, salt)] = true;
    }

    function takeOffer(
        address maker,
        address sell,
        uint256 sellAmount,
        address buy,
        uint256 buyAmount,
        uint256 salt,
        bytes calldata signature
    ) external {
        bytes32 id = offerId(maker, sell, sellAmount, buy, buyAmount, salt);
        require(!closed[id], "closed");
        require(_agreed(maker, id, signature), "signature");
        closed[id] = true;
        IERC20(buy).safeTransferFrom(msg.sender, maker, buyAmount);
        IERC20(sell).safeTransferFrom(maker, msg.sender, sellAmount);
        emit Taken(id, maker, msg.sender);
    }

    function _agreed(address maker, bytes32 id, bytes calldata signature) private view returns (bool good) {
        if (signature.length == 65) {
            bytes32 r = bytes32(signature[0:32]);
            bytes32 s = bytes32(signature[32:64]);
            address who = ecrecover(id, uint8(signature[64]), r, s);
            return who != address(0) && who == maker;
        }
        bytes memory ask = abi.encodeWithSelector(0x1626ba7e, id, signature);
        assembly {
            let at := add(ask, 32)
            let ok := staticcall(gas(), maker, at, mload(ask), at, 32)
            good := and(ok, eq(shr(224, mload(at)), 0x1626ba7e))
        }
    }
}

contract ZapDeposit {
    using SafeERC20 for IERC20;

    IERC20 public immutable coin;
    uint256 public total;
    mapping(address => uint256) public stakeOf;

    event Joined(address indexed from, address indexed receiver, uint256 amount);
    event Left(address indexed who, uint256 amount);

    constructor(IERC20 coin_) {
        coin = coin_;
    }

    function join(uint256 amount) external {
        _join(msg.sender, msg.sender, amount);
    }

    function joinWithPermit(
        address owner,
        address receiver,
        uint256 amount,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        IERC20Permit(address(coin)).permit(owner, address(this), amount, deadline, v, r, s);
        _join(owner, receiver, amount);
    }

    function leave(uint256 amount) external {
        stakeOf[msg.sender] -= amount;
        total -= amount;
        coin.safeTransfer(msg.sender, amount);
        emit Left(msg.sender, amount);
    }

    function _join(address from, address receiver, uint256 amount) private {
        coin.safeTransferFrom(from, address(this), amount);
        stakeOf[receiver] += amount;
        total += amount;
        emit Joined(from, receiver, amount);
    }
}

contract SeatHouse {
    using SafeERC20 for IERC20;

    uint256 public constant FIRST_PRICE = 100e18;
    IERC20 public immutable coin;
    uint256 public seats;
    uint256 public pool;
    mapping(address => uint256) public seatsOf;

    constructor(IERC20 _coin) {
        coin = _coin;
    }

    function enter(uint256 amount) external returns (uint256 got) {
        got = seats == 0 ? amount / FIRST_PRICE : (amount * seats) / pool;
        require(got > 0, "less than a seat");
        coin.safeTransferFrom(msg.sender, address(this), amount);
        pool += amount;
        seats += got;
        seatsOf[msg.sender] += got;
    }

    function addProfit(uint256 amount) external {
        coin.safeTransferFrom(msg.sender, address(this), amount);
        pool += amount;
    }

    function draw(uint256 amount) external returns (uint256 given) {
        given = (amount * seats) / pool;
        seatsOf[msg.sender] -= given;
        seats -= given;
        pool -= amount;
        coin.safeTransfer(msg.sender, amount);
    }

    function giveUp(uint256 count) external returns (uint256 amount) {
        amount = (count * pool) / seats;
        seatsOf[msg.sender] -= count;
        seats -= count;
        pool -= amount;
        coin.safeTransfer(msg.sender, amount);
    }
}

contract YieldBox is ERC20 {
    using SafeERC20 for IERC20;

    IERC20 public immutable asset;

    event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares);
    event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares);

    constructor(IERC20 asset_) ERC20("Yield Box Share", "yBOX") {
        asset = asset_;
    }

    function totalAssets() public view returns (uint256) {
        return asset.balanceOf(address(this));
    }

    function convertToShares(uint256 assets) public view returns (uint256) {
        return (assets * (totalSupply() + 1e6)) / (totalAssets() + 1);
    }

    function convertToAssets(uint256 shares) public view returns (uint256) {
        return (shares * (totalAssets() + 1)) / (totalSupply() + 1e6);
    }

    function deposit(uint256 assets, address receiver) external returns (uint256 shares) {
        shares = convertToShares(assets);
        require(shares != 0, "ZERO_SHARES");
        asset.safeTransferFrom(msg.sender, address(this), assets);
        _mint(receiver, shares);
        emit Deposit(msg.sender, receiver, assets, shares);
    }

    function withdraw(uint256 assets, address receiver, address owner) external returns (uint256 shares) {
        shares = convertToShares(assets) + 1;
        if (msg.sender != owner) _spendAllowance(owner, msg.sender, shares);
        _pay(shares, assets, receiver, owner);
    }

    function redeem(uint256 shares, address receiver, address owner) external returns (uint256 assets) {
        assets = convertToAssets(shares);
        require(assets != 0, "ZERO_ASSETS");
        _pay(shares, assets, receiver, owner);
    }

    function _pay(uint256 shares, uint256 assets, address receiver, address owner) private {
        _burn(owner, shares);
        asset.safeTransfer(receiver, assets);
        emit Withdraw(msg.sender, receiver, owner, assets, shares);
    }
}

contract HarvestShare is ERC20 {
    using SafeERC20 for IERC20;

    IERC20 public immutable seed;
    IERC20 public immutable crop;
    uint256 public cropPerShare;
    mapping(address => uint256) public paidUpTo;
    mapping(address => uint256) public owed;

    constructor(IERC20 seed_, IERC20 crop_) ERC20("Harvest Share", "HARV") {
        seed = seed_;
        crop = crop_;
    }

    modifier settle(address who) {
        owed[who] = earned(who);
        paidUpTo[who] = cropPerShare;
        _;
    }

    function earned(address who) public view returns (uint256) {
        return owed[who] + (balanceOf(who) * (cropPerShare - paidUpTo[who])) / 1e30;
    }

    function plant(uint256 amount) external settle(msg.sender) {
        seed.safeTransferFrom(msg.sender, address(this), amount);
        _mint(msg.sender, amount);
    }

    function uproot(uint256 amount) external settle(msg.sender) {
        _burn(msg.sender, amount);
        seed.safeTransfer(msg.sender, amount);
    }

    function reap() external settle(msg.sender) returns (uint256 amount) {
        amount = owed[msg.sender];
        owed[msg.sender] = 0;
        crop.safeTransfer(msg.sender, amount);
    }

    function bringCrop(uint256 amount) external {
        require(totalSupply() > 0, "nobody");
        crop.safeTransferFrom(msg.sender, address(this), amount);
        cropPerShare += (amount * 1e30) / totalSupply();
    }
}

contract SeasonDrop {
    using SafeERC20 for IERC20;

    IERC20 public immutable token;
    address public immutable publisher;
    bytes32 public merkleRoot;
    mapping(uint256 => uint256) private _claimedWords;

    event Claimed(uint256 index, address account, uint256 amount);

    constructor(IERC20 token_, address publisher_) {
        token = token_;
        publisher = publisher_;
    }

    function setRoot(bytes32 root) external {
        require(msg.sender == publisher && merkleRoot == bytes32(0), "set");
        merkleRoot = root;
    }

    function isClaimed(uint256 index) public view returns (bool) {
        return (_claimedWords[index >> 8] >> (index & 255)) & 1 == 1;
    }

    function claim(uint256 index, address account, uint256 amount, bytes32[] calldata proof) external {
        require(!isClaimed(index), "claimed");
        bytes32 leaf = keccak256(abi.encodePacked(account, amount));
        require(MerkleProof.verifyCalldata(proof, merkleRoot, leaf), "proof");
        _claimedWords[index >> 8] |= 1 << (index & 255);
        token.safeTransfer(account, amount);
        emit Claimed(index, account, amount);
    }
}

contract EtherTab {
    mapping(address => uint256) public tab;
    bool private busy;

    modifier single() {
        require(!busy, "busy");
        busy = true;
        _;
        busy = false;
    }

    function open() external payable single {
        tab[msg.sender] += msg.value;
    }

    function settleAll() external single {
        uint256 due = tab[msg.sender];
        require(due > 0, "empty");
        (bool ok, ) = payable(msg.sender).call{value: due}("");
        require(ok, "refused");
        tab[msg.sender] = 0;
    }

    function hand(address to, uint256 amount) external {
        require(to != address(0), "to");
        require(tab[msg.sender] >= amount, "short");
        tab[msg.sender] -= amount;
        tab[to] += amount;
    }
}
