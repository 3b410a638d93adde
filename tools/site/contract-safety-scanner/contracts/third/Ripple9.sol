// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
/// Reflection without owner: one per cent of each transfer is shared among all holders.
contract Ripple9 {
    string public constant name = "Ripple Nine"; string public constant symbol = "RPL9"; uint8 public constant decimals = 9; uint256 public constant totalSupply = 1e9 * 1e9; uint256 private rTotal = type(uint256).max - (type(uint256).max % totalSupply);
    mapping(address => uint256) private r; mapping(address => mapping(address => uint256)) public allowance; event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
    constructor() { r[msg.sender] = rTotal; emit Transfer(address(0), msg.sender, totalSupply); }
    function rate() public view returns (uint256) { return rTotal / totalSupply; }
    function balanceOf(address w) public view returns (uint256) { return r[w] / rate(); }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address t, uint256 v) external returns (bool) { _x(msg.sender, t, v); return true; }
    function transferFrom(address f, address t, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; _x(f, t, v); return true; }
    function _x(address f, address t, uint256 v) private { uint256 k = rate(); uint256 fee = v / 100; r[f] -= v * k; r[t] += (v - fee) * k; rTotal -= fee * k; emit Transfer(f, t, v - fee); }
}
