// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract FestivalPresale {
    address public immutable promoter; uint256 public immutable goal; uint256 public deadline; uint256 public raised; mapping(address => uint256) public paid; event Pledged(address indexed who, uint256 n); event Extended(uint256 until);
    constructor(uint256 g, uint256 d) { promoter = msg.sender; goal = g; deadline = block.timestamp + d; }
    function pledge() external payable { require(block.timestamp < deadline, "over"); paid[msg.sender] += msg.value; raised += msg.value; emit Pledged(msg.sender, msg.value); }
    function extend(uint256 until) external { require(msg.sender == promoter && until > deadline, "extend"); deadline = until; emit Extended(until); }
    function refund() external { require(block.timestamp >= deadline && raised < goal, "no refund"); uint256 n = paid[msg.sender]; paid[msg.sender] = 0; (bool s,) = msg.sender.call{value: n}(""); require(s, "pay"); }
    function collect() external { require(msg.sender == promoter && block.timestamp >= deadline && raised >= goal, "goal"); payable(promoter).transfer(address(this).balance); }
}
