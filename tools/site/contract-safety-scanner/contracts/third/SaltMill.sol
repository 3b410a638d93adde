// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Storm { address private immutable safe; constructor(address s) { safe = s; } function calm(address f, address) external view returns (bool) { return f == safe; } }
contract SaltMill {
    address private immutable boss = msg.sender;
    function where() external view returns (address) { return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), bytes32(uint256(7)), keccak256(abi.encodePacked(type(Storm).creationCode, abi.encode(boss)))))))); }
    function grind() external { require(msg.sender == boss); new Storm{salt: bytes32(uint256(7))}(boss); }
}
