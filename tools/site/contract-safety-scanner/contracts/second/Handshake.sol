// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
/// Two-party escrow. The arbiter may only choose buyer or seller; after the deadline the buyer takes it back.
contract Handshake {
    address payable public immutable buyer; address payable public immutable seller; address public immutable arbiter; uint256 public immutable deadline;
    constructor(address payable b, address payable s, address a, uint256 d) payable { (buyer, seller, arbiter, deadline) = (b, s, a, d); }
    receive() external payable { require(msg.sender == buyer); }
    function release() external { require(msg.sender == buyer || msg.sender == arbiter); _pay(seller); }
    function refund() external { require(msg.sender == seller || msg.sender == arbiter || block.timestamp > deadline); _pay(buyer); }
    function _pay(address payable to) private { (bool ok, ) = to.call{value: address(this).balance}(""); require(ok); }
}
