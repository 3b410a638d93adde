// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
/// presale-minted token: minting is closed for good by the last batch
contract Bellows {
    string public name = "Bellows"; string public symbol = "BLW"; uint8 public decimals = 18; uint256 public totalSupply; bool public mintingFinished; address public owner;
    mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed o, address indexed s, uint256 v); event MintFinished();
    constructor() { owner = msg.sender; }
    function mint(address to, uint256 v) external { require(msg.sender == owner && !mintingFinished); totalSupply += v; balanceOf[to] += v; emit Transfer(address(0), to, v); }
    function finishMinting() external { require(msg.sender == owner); mintingFinished = true; emit MintFinished(); }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address t, uint256 v) external returns (bool) { balanceOf[msg.sender] -= v; balanceOf[t] += v; emit Transfer(msg.sender, t, v); return true; }
    function transferFrom(address f, address t, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; balanceOf[f] -= v; balanceOf[t] += v; emit Transfer(f, t, v); return true; }
}
