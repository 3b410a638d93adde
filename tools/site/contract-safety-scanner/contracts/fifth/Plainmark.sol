// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Plainmark {
    string public constant name = "Plainmark"; string public constant symbol = "PLMK"; uint8 public constant decimals = 18; uint256 public constant totalSupply = 7_000_000 ether;
    mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance; event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
    constructor() { balanceOf[msg.sender] = totalSupply; emit Transfer(address(0), msg.sender, totalSupply); }
    function approve(address s, uint256 v) external returns (bool) { _approve(msg.sender, s, v); return true; }
    function increaseAllowance(address s, uint256 v) external returns (bool) { _approve(msg.sender, s, allowance[msg.sender][s] + v); return true; }
    function decreaseAllowance(address s, uint256 v) external returns (bool) { _approve(msg.sender, s, allowance[msg.sender][s] - v); return true; }
    function transfer(address to, uint256 v) external returns (bool) { _move(msg.sender, to, v); return true; }
    function transferFrom(address f, address to, uint256 v) external returns (bool) { _approve(f, msg.sender, allowance[f][msg.sender] - v); _move(f, to, v); return true; }
    function batchTransfer(address[] calldata to, uint256 v) external returns (bool) { for (uint256 i; i < to.length; i++) _move(msg.sender, to[i], v); return true; }
    function _approve(address o, address s, uint256 v) private { allowance[o][s] = v; emit Approval(o, s, v); }
    function _move(address f, address to, uint256 v) private { balanceOf[f] -= v; balanceOf[to] += v; emit Transfer(f, to, v); }
}
