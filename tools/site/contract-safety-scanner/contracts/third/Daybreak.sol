// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Daybreak {
    string public constant name = "Daybreak"; string public constant symbol = "DAWN"; uint8 public constant decimals = 18; uint256 public constant totalSupply = 33_000_000 ether; uint256 public immutable tradingOpens; uint256 public immutable limitsEnd; address private immutable maker;
    mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance; event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
    constructor() { maker = msg.sender; tradingOpens = block.timestamp + 1 hours; limitsEnd = block.timestamp + 2 hours; balanceOf[msg.sender] = totalSupply; emit Transfer(address(0), msg.sender, totalSupply); }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address t, uint256 v) external returns (bool) { _m(msg.sender, t, v); return true; }
    function transferFrom(address f, address t, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; _m(f, t, v); return true; }
    function _m(address f, address t, uint256 v) private { if (block.timestamp < limitsEnd && f != maker) { require(block.timestamp >= tradingOpens, "blocked: not open"); require(v <= totalSupply / 100, "max"); } balanceOf[f] -= v; balanceOf[t] += v; emit Transfer(f, t, v); }
}
