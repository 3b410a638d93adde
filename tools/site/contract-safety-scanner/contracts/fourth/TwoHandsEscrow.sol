// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract TwoHandsEscrow {
    struct Deal { address payer; address maker; uint96 n; uint64 until; uint8 state; } Deal[] public deals; event Opened(uint256 indexed id); event Closed(uint256 indexed id, address indexed to);
    function open(address maker, uint64 span) external payable returns (uint256 id) { require(span >= 1 hours && span <= 90 days && msg.value < 2 ** 96, "terms"); id = deals.length; deals.push(Deal(msg.sender, maker, uint96(msg.value), uint64(block.timestamp) + span, 1)); emit Opened(id); }
    function accept(uint256 id) external { require(msg.sender == deals[id].payer, "payer"); _close(id, deals[id].maker); }
    function refuse(uint256 id) external { require(msg.sender == deals[id].maker, "maker"); _close(id, deals[id].payer); }
    function lapse(uint256 id) external { require(block.timestamp > deals[id].until, "not lapsed"); _close(id, deals[id].payer); }
    function _close(uint256 id, address to) private { Deal storage d = deals[id]; require(d.state == 1, "closed"); d.state = 2; emit Closed(id, to); (bool s,) = to.call{value: d.n}(""); require(s, "pay"); }
}
