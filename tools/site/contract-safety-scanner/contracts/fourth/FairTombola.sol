// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract FairTombola {
    bytes32 public immutable sealed_; uint256 public immutable closes; uint256 public immutable revealBy; address[] public tickets; mapping(address => uint256) public paid; mapping(address => uint256) public prize; uint256 private mix; bool public drawn; event Ticket(address indexed who); event Won(address indexed who, uint256 pot);
    constructor(bytes32 s) { sealed_ = s; closes = block.timestamp + 1 days; revealBy = closes + 1 days; }
    function enter(uint256 salt) external payable { require(msg.value == 0.1 ether && block.timestamp < closes, "enter"); tickets.push(msg.sender); paid[msg.sender] += msg.value; mix ^= uint256(keccak256(abi.encode(msg.sender, salt, tickets.length))); emit Ticket(msg.sender); }
    function reveal(bytes32 secret) external { require(!drawn && block.timestamp >= closes && block.timestamp < revealBy && tickets.length > 0 && keccak256(abi.encode(secret)) == sealed_, "reveal"); drawn = true; address w = tickets[uint256(keccak256(abi.encode(secret, mix))) % tickets.length]; prize[w] = address(this).balance; emit Won(w, address(this).balance); }
    function fetchPrize() external { require(drawn, "not drawn"); uint256 n = prize[msg.sender]; prize[msg.sender] = 0; _pay(n); }
    function refund() external { require(!drawn && block.timestamp >= revealBy, "no refund"); uint256 n = paid[msg.sender]; paid[msg.sender] = 0; _pay(n); }
    function _pay(uint256 n) private { require(n > 0, "nothing"); (bool s,) = msg.sender.call{value: n}(""); require(s, "pay"); }
}
