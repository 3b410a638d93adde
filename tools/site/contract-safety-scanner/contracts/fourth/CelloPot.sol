// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract CelloPot {
    mapping(address => uint256) public notes; event Put(address indexed who, uint256 n); event Taken(address indexed who, uint256 n);
    function put() external payable { notes[msg.sender] += msg.value; emit Put(msg.sender, msg.value); }
    function take(uint256 n) external { notes[msg.sender] -= n; emit Taken(msg.sender, n); (bool s,) = msg.sender.call{value: n}(""); require(s, "pay"); }
}
