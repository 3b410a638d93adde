// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
/// Money box of a board: a motion passes when enough members second it.
contract BoardBox {
    struct Motion { address to; uint96 seconds_; uint256 value; bytes data; bool carried; }
    address[] private members; uint256 private threshold; Motion[] public motions; mapping(uint256 => mapping(address => bool)) public seconded; mapping(address => bool) public isOwner;
    event Received(address indexed from, uint256 value); event Moved(uint256 indexed id, address indexed by); event Seconded(uint256 indexed id, address indexed by); event Carried(uint256 indexed id);
    modifier member() { require(isOwner[msg.sender], "member"); _; } modifier self() { require(msg.sender == address(this), "self"); _; }
    constructor(address[] memory m, uint256 t) { require(t > 0 && t <= m.length, "threshold"); for (uint256 i; i < m.length; i++) { require(m[i] != address(0) && !isOwner[m[i]], "twice"); isOwner[m[i]] = true; members.push(m[i]); } threshold = t; }
    receive() external payable { emit Received(msg.sender, msg.value); }
    function getOwners() external view returns (address[] memory) { return members; }
    function getThreshold() external view returns (uint256) { return threshold; }
    function move(address to, uint256 value, bytes calldata data) external member returns (uint256 id) { id = motions.length; motions.push(Motion(to, 0, value, data, false)); emit Moved(id, msg.sender); _second(id); }
    function second(uint256 id) external member { _second(id); }
    function _second(uint256 id) private { Motion storage m = motions[id]; require(!m.carried && !seconded[id][msg.sender], "second"); seconded[id][msg.sender] = true; m.seconds_++; emit Seconded(id, msg.sender); if (m.seconds_ >= threshold) { m.carried = true; (bool s,) = m.to.call{value: m.value}(m.data); require(s, "motion failed"); emit Carried(id); } }
    function changeThreshold(uint256 t) external self { require(t > 0 && t <= members.length, "threshold"); threshold = t; }
}
