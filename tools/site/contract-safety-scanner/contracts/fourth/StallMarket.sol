// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract StallMarket {
    struct Stall { address seller; uint256 price; bool sold; } uint256 public constant MAX_FEE = 300; uint256 public fee = 100; address public immutable steward; Stall[] public stalls; mapping(address => uint256) public due;
    event Offered(uint256 indexed id, address indexed seller, uint256 price); event Sold(uint256 indexed id, address indexed buyer); event FeeSet(uint256 bps);
    constructor() { steward = msg.sender; }
    function setFee(uint256 bps) external { require(msg.sender == steward && bps <= MAX_FEE, "fee"); fee = bps; emit FeeSet(bps); }
    function offer(uint256 price) external returns (uint256 id) { id = stalls.length; stalls.push(Stall(msg.sender, price, false)); emit Offered(id, msg.sender, price); }
    function buy(uint256 id) external payable { Stall storage s = stalls[id]; require(!s.sold && msg.value == s.price, "price"); s.sold = true; uint256 f = msg.value * fee / 10000; due[steward] += f; due[s.seller] += msg.value - f; emit Sold(id, msg.sender); }
    function fetch() external { uint256 n = due[msg.sender]; due[msg.sender] = 0; (bool y,) = msg.sender.call{value: n}(""); require(y, "pay"); }
}
