// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract PlazaVote {
    uint256 public immutable ends; uint256 public immutable choices; uint256 public constant CREDITS = 100; mapping(address => uint256) public spent; mapping(address => mapping(uint256 => uint256)) public votesOf; mapping(uint256 => uint256) public tally; mapping(address => uint256) public bond; event Voted(address indexed who, uint256 indexed choice, uint256 votes);
    constructor(uint256 n, uint256 span) { choices = n; ends = block.timestamp + span; }
    /// a bond of a hundredth of an Ether against crowds of one; it is given back after the vote
    function register() external payable { require(msg.value == 0.01 ether && bond[msg.sender] == 0 && block.timestamp < ends, "register"); bond[msg.sender] = msg.value; }
    function vote(uint256 c, uint256 n) external { require(bond[msg.sender] > 0 && c < choices && block.timestamp < ends, "vote"); uint256 was = votesOf[msg.sender][c]; uint256 s = spent[msg.sender] + n * n - was * was; require(n < 11 && s <= CREDITS, "credits"); spent[msg.sender] = s; tally[c] = tally[c] + n - was; votesOf[msg.sender][c] = n; emit Voted(msg.sender, c, n); }
    function bondBack() external { require(block.timestamp >= ends, "after the vote"); uint256 n = bond[msg.sender]; bond[msg.sender] = 0; (bool s,) = msg.sender.call{value: n}(""); require(s, "pay"); }
    function winner() external view returns (uint256 w) { for (uint256 i = 1; i < choices; i++) if (tally[i] > tally[w]) w = i; }
}
