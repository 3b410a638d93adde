// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol"; import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol"; import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
/// Stake one token, earn another; the owner sets the rate and can stop and take back unpaid rewards, never stakes.
contract Pasture is Ownable {
    using SafeERC20 for IERC20; IERC20 public immutable hay; IERC20 public immutable milk; uint256 public rate; uint256 public acc; uint256 public last; uint256 public total;
    mapping(address => uint256) public stakeOf; mapping(address => uint256) public debt; mapping(address => uint256) public due;
    constructor(IERC20 h, IERC20 m, uint256 r) Ownable(msg.sender) { require(h != m); hay = h; milk = m; rate = r; last = block.timestamp; }
    function _tick(address w) private { if (total > 0) acc += (block.timestamp - last) * rate * 1e18 / total; last = block.timestamp; due[w] += stakeOf[w] * acc / 1e18 - debt[w]; }
    function stake(uint256 v) external { _tick(msg.sender); hay.safeTransferFrom(msg.sender, address(this), v); stakeOf[msg.sender] += v; total += v; debt[msg.sender] = stakeOf[msg.sender] * acc / 1e18; }
    function unstake(uint256 v) external { _tick(msg.sender); stakeOf[msg.sender] -= v; total -= v; debt[msg.sender] = stakeOf[msg.sender] * acc / 1e18; hay.safeTransfer(msg.sender, v); }
    function milkOut() external { _tick(msg.sender); debt[msg.sender] = stakeOf[msg.sender] * acc / 1e18; uint256 v = due[msg.sender]; due[msg.sender] = 0; milk.safeTransfer(msg.sender, v); }
    function setRate(uint256 r) external onlyOwner { require(r <= 1e21); _tick(address(0)); rate = r; }
    function recover(IERC20 t, uint256 v) external onlyOwner { require(t != hay, "stakes"); t.safeTransfer(msg.sender, v); }
}
