// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;
interface ITok { function transfer(address, uint256) external returns (bool); function transferFrom(address, address, uint256) external returns (bool); }
abstract contract Once { bool private initialized; bool private initializing; uint256[49] private __gap; modifier initializer() { require(initializing || !initialized, "already initialized"); bool top = !initializing; if (top) { initializing = true; initialized = true; } _; if (top) initializing = false; } }
contract StakingHall is Once {
    ITok public token; address public governance; mapping(address => uint256) public stakeOf;
    function initialize(ITok t, address g) external initializer { token = t; governance = g; }
    function stake(uint256 v) external { stakeOf[msg.sender] += v; require(token.transferFrom(msg.sender, address(this), v)); }
    function unstake(uint256 v) external { stakeOf[msg.sender] -= v; require(token.transfer(msg.sender, v)); }
    /// misbehaving operators are punished by a vote of the governance contract
    function slash(address who, uint256 v) external { require(msg.sender == governance, "governance"); stakeOf[who] -= v; require(token.transfer(governance, v)); }
}
