// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
/// Buyers lock Ether for a seller. The buyer may release it, the seller may give it back, and after the deadline the buyer takes it back alone.
contract FairEscrow {
    struct Deal { address buyer; address payable seller; uint256 amount; uint256 deadline; } Deal[] public deals; event Opened(uint256 id); event Closed(uint256 id, address to);
    function lockFunds(address payable seller, uint256 d) external payable returns (uint256 id) { require(msg.value > 0 && d <= 90 days); id = deals.length; deals.push(Deal(msg.sender, seller, msg.value, block.timestamp + d)); emit Opened(id); }
    function confiscate(uint256 id) external { Deal memory x = deals[id]; require(msg.sender == x.seller || (msg.sender == x.buyer && block.timestamp >= x.deadline), "not yours"); _pay(id, payable(x.buyer)); }
    function release(uint256 id) external { require(msg.sender == deals[id].buyer, "buyer"); _pay(id, deals[id].seller); }
    function _pay(uint256 id, address payable to) private { uint256 v = deals[id].amount; require(v > 0, "closed"); deals[id].amount = 0; emit Closed(id, to); (bool ok,) = to.call{value: v}(""); require(ok); }
}
