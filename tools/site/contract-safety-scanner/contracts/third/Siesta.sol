// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
/// The guardian may stop transfers for three days, and then not again for thirty.
contract Siesta {
    string public constant name = "Siesta"; string public constant symbol = "ZZZ"; uint8 public constant decimals = 18; uint256 public constant totalSupply = 8_888_888 ether;
    address public immutable guardian; uint256 public pausedUntil; uint256 public nextPause;
    mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value); event Paused(uint256 until);
    constructor() { guardian = msg.sender; balanceOf[msg.sender] = totalSupply; emit Transfer(address(0), msg.sender, totalSupply); }
    function pause() external { require(msg.sender == guardian && block.timestamp >= nextPause, "not now"); pausedUntil = block.timestamp + 3 days; nextPause = block.timestamp + 33 days; emit Paused(pausedUntil); }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address t, uint256 v) external returns (bool) { _m(msg.sender, t, v); return true; }
    function transferFrom(address f, address t, uint256 v) external returns (bool) { uint256 a = allowance[f][msg.sender]; if (a != type(uint256).max) allowance[f][msg.sender] = a - v; _m(f, t, v); return true; }
    function _m(address f, address t, uint256 v) private { require(block.timestamp >= pausedUntil, "paused"); balanceOf[f] -= v; balanceOf[t] += v; emit Transfer(f, t, v); }
}
