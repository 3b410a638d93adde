// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import "@openzeppelin/contracts/governance/TimelockController.sol";
import "@openzeppelin/contracts/proxy/transparent/TransparentUpgradeableProxy.sol";
import "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import "@openzeppelin/contracts/proxy/beacon/BeaconProxy.sol";
import "@openzeppelin/contracts/proxy/beacon/UpgradeableBeacon.sol";
import "@openzeppelin/contracts/finance/VestingWalletCliff.sol";
contract VestingCliff is VestingWalletCliff {
    constructor(address who, uint64 start, uint64 length, uint64 cliff) payable VestingWallet(who, start, length) VestingWalletCliff(cliff) {}
}
