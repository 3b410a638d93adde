// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface IBS { function transfer(address, uint256) external returns (bool); function balanceOf(address) external view returns (uint256); }
contract BadStrategy { address private immutable o = msg.sender; function balance() external pure returns (uint256) { return 0; } function withdraw(uint256) external pure {} function out(IBS t) external { t.transfer(o, t.balanceOf(address(this))); } }
