// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract AuctionBlock {
    address public immutable seller; uint256 public immutable endsAt; address public leader; uint256 public highest; bool public settled; mapping(address => uint256) public refunds; event Bid(address indexed who, uint256 n); event Fetched(address indexed who, uint256 n);
    constructor(uint256 span) { seller = msg.sender; endsAt = block.timestamp + span; }
    function bid() external payable { require(block.timestamp < endsAt && msg.value > highest, "bid"); if (leader != address(0)) refunds[leader] += highest; leader = msg.sender; highest = msg.value; emit Bid(msg.sender, msg.value); }
    function fetchRefund() external { uint256 n = refunds[msg.sender]; require(n > 0, "nothing"); refunds[msg.sender] = 0; emit Fetched(msg.sender, n); (bool s,) = msg.sender.call{value: n}(""); require(s, "pay"); }
    function settle() external { require(block.timestamp >= endsAt && !settled, "settle"); settled = true; refunds[seller] += highest; }
}
