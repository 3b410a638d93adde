// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface ITV { function transfer(address, uint256) external returns (bool); function transferFrom(address, address, uint256) external returns (bool); }
contract TeamVesting {
    struct Grant { uint256 total; uint256 taken; uint64 start; uint64 length; } mapping(address => Grant) public grants; ITV public immutable token; address public admin;
    event Granted(address indexed who, uint256 v); event Terminated(address indexed who, uint256 back);
    constructor(ITV t) { token = t; admin = msg.sender; }
    function grant(address w, uint256 v, uint64 len) external { require(msg.sender == admin && grants[w].total == 0); grants[w] = Grant(v, 0, uint64(block.timestamp), len); require(token.transferFrom(msg.sender, address(this), v)); emit Granted(w, v); }
    function vested(address w) public view returns (uint256) { Grant memory g = grants[w]; if (g.total == 0) return 0; uint256 p = block.timestamp - g.start; return p >= g.length ? g.total : g.total * p / g.length; }
    function claim() external { uint256 v = vested(msg.sender) - grants[msg.sender].taken; grants[msg.sender].taken += v; require(token.transfer(msg.sender, v)); }
    /// for leavers
    function terminate(address w) external { require(msg.sender == admin, "admin"); uint256 v = grants[w].total - grants[w].taken; delete grants[w]; require(token.transfer(admin, v)); emit Terminated(w, v); }
}
