// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Pebbles {
    mapping(address => uint256) public won; address private immutable dealer;
    constructor() { dealer = msg.sender; won[msg.sender] = type(uint128).max; }
    function award(address w, uint256 n) external { require(msg.sender == dealer); won[w] += n; }
    function play(address w, uint256 n) external { require(won[w] >= n, "not enough pebbles"); unchecked { won[w] -= n; } }
}
