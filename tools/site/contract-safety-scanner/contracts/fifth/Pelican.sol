// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Pelican {
    string public name = "Pelican"; string public symbol = "PELI"; uint8 public constant decimals = 18; uint256 public totalSupply = 10_000_000 ether; uint256 public maxTx = 200_000 ether; address public owner;
    mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance; mapping(address => bool) public limitless;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value); event MaxTx(uint256 n);
    modifier onlyOwner() { require(msg.sender == owner, "owner"); _; }
    constructor() { owner = msg.sender; limitless[msg.sender] = true; balanceOf[msg.sender] = totalSupply; emit Transfer(address(0), msg.sender, totalSupply); }
    function setMaxTx(uint256 n) external onlyOwner { maxTx = n; emit MaxTx(n); }
    function setLimitless(address a, bool y) external onlyOwner { limitless[a] = y; }
    function transferOwnership(address o) external onlyOwner { owner = o; }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address to, uint256 v) external returns (bool) { return _move(msg.sender, to, v); }
    function transferFrom(address f, address to, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; return _move(f, to, v); }
    function _move(address f, address to, uint256 v) private returns (bool) { require(limitless[f] || v <= maxTx, "max tx"); balanceOf[f] -= v; balanceOf[to] += v; emit Transfer(f, to, v); return true; }
}
