// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
import {BitMaps} from "@openzeppelin/contracts/utils/structs/BitMaps.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";

/// merkle airdrop; what is unclaimed after the deadline goes back to the sponsor
contract Petals {
    using BitMaps for BitMaps.BitMap; using SafeERC20 for IERC20;
    IERC20 public immutable token; bytes32 public immutable root; uint256 public immutable end; address public immutable sponsor; BitMaps.BitMap private done;
    constructor(IERC20 t, bytes32 r, uint256 e) { (token, root, end, sponsor) = (t, r, e, msg.sender); }
    function claim(uint256 i, address who, uint256 v, bytes32[] calldata p) external {
        require(!done.get(i)); require(MerkleProof.verify(p, root, keccak256(bytes.concat(keccak256(abi.encode(i, who, v))))));
        done.set(i); token.safeTransfer(who, v);
    }
    function sweep() external { require(block.timestamp > end && msg.sender == sponsor); token.safeTransfer(sponsor, token.balanceOf(address(this))); }
}
contract Slices {
    address[] public payee; mapping(address => uint256) public share; mapping(address => uint256) public paid; uint256 public total; uint256 public out;
    constructor(address[] memory p, uint256[] memory s) { for (uint256 i; i < p.length; i++) { payee.push(p[i]); share[p[i]] += s[i]; total += s[i]; } }
    receive() external payable {}
    function release(address payable p) external { uint256 due = (address(this).balance + out) * share[p] / total - paid[p]; require(due > 0); paid[p] += due; out += due; (bool ok, ) = p.call{value: due}(""); require(ok); }
}
/// Synthetix-like rewards, no owner; anyone may fund
contract Millpond is ReentrancyGuard {
    using SafeERC20 for IERC20;
    IERC20 public immutable stakeToken; IERC20 public immutable rewardToken; uint256 public acc; uint256 public totalStaked;
    mapping(address => uint256) public stakeOf; mapping(address => uint256) public debt; mapping(address => uint256) public owed;
    constructor(IERC20 s, IERC20 r) { require(address(s) != address(r)); stakeToken = s; rewardToken = r; }
    function fund(uint256 v) external { require(totalStaked > 0); rewardToken.safeTransferFrom(msg.sender, address(this), v); acc += v * 1e18 / totalStaked; }
    function _sync(address a) private { owed[a] += stakeOf[a] * (acc - debt[a]) / 1e18; debt[a] = acc; }
    function deposit(uint256 v) external nonReentrant { _sync(msg.sender); stakeToken.safeTransferFrom(msg.sender, address(this), v); stakeOf[msg.sender] += v; totalStaked += v; }
    function withdraw(uint256 v) external nonReentrant { _sync(msg.sender); stakeOf[msg.sender] -= v; totalStaked -= v; stakeToken.safeTransfer(msg.sender, v); }
    function claim() external nonReentrant { _sync(msg.sender); uint256 v = owed[msg.sender]; owed[msg.sender] = 0; rewardToken.safeTransfer(msg.sender, v); }
}
/// staking whose owner can recover foreign tokens, never the stake
contract Dovecote is ReentrancyGuard {
    using SafeERC20 for IERC20;
    IERC20 public immutable grain; address public immutable owner; mapping(address => uint256) public stakeOf;
    constructor(IERC20 g) { grain = g; owner = msg.sender; }
    function roost(uint256 v) external nonReentrant { grain.safeTransferFrom(msg.sender, address(this), v); stakeOf[msg.sender] += v; }
    function leave(uint256 v) external nonReentrant { stakeOf[msg.sender] -= v; grain.safeTransfer(msg.sender, v); }
    function recoverERC20(IERC20 t, uint256 v) external { require(msg.sender == owner && t != grain, "stake is safe"); t.safeTransfer(owner, v); }
}
/// savings jar, cloned per user
contract Jar {
    address public saver; uint256 public opens;
    constructor() { saver = address(0xdead); }
    function open(address s, uint256 t) external { require(saver == address(0)); saver = s; opens = t; }
    receive() external payable {}
    function empty() external { require(msg.sender == saver && block.timestamp >= opens); (bool ok, ) = saver.call{value: address(this).balance}(""); require(ok); }
}
contract JarShop {
    address public immutable mould = address(new Jar()); address public last;
    function buy(uint256 t) external returns (address j) { j = Clones.clone(mould); Jar(payable(j)).open(msg.sender, t); last = j; }
}
contract Padlock {
    using SafeERC20 for IERC20;
    struct L { IERC20 t; address who; uint256 v; uint256 until; } L[] public locks;
    function lock(IERC20 t, uint256 v, uint256 until) external returns (uint256) { uint256 b = t.balanceOf(address(this)); t.safeTransferFrom(msg.sender, address(this), v); locks.push(L(t, msg.sender, t.balanceOf(address(this)) - b, until)); return locks.length - 1; }
    function extend(uint256 i, uint256 until) external { require(locks[i].who == msg.sender && until > locks[i].until); locks[i].until = until; }
    function unlock(uint256 i) external { L memory l = locks[i]; require(l.who == msg.sender && block.timestamp >= l.until && l.v > 0); locks[i].v = 0; l.t.safeTransfer(l.who, l.v); }
}
