// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract HallEscrow {
    struct Hire { address tenant; address hall; uint256 n; bool over; } Hire[] public hires; address public immutable arbiter; event Made(uint256 indexed id); event Settled(uint256 indexed id, address indexed to);
    constructor(address a) { arbiter = a; }
    function make(address hall) external payable returns (uint256 id) { id = hires.length; hires.push(Hire(msg.sender, hall, msg.value, false)); emit Made(id); }
    function release(uint256 id) external { require(msg.sender == hires[id].tenant, "tenant"); _settle(id, hires[id].hall); }
    function giveBack(uint256 id) external { require(msg.sender == hires[id].hall, "hall"); _settle(id, hires[id].tenant); }
    function decide(uint256 id, bool forTenant) external { require(msg.sender == arbiter, "arbiter"); _settle(id, forTenant ? hires[id].tenant : hires[id].hall); }
    function _settle(uint256 id, address to) private { Hire storage h = hires[id]; require(!h.over, "over"); h.over = true; emit Settled(id, to); (bool s,) = to.call{value: h.n}(""); require(s, "pay"); }
}
