// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {TransparentUpgradeableProxy} from "@openzeppelin/contracts/proxy/transparent/TransparentUpgradeableProxy.sol";
import {BeaconProxy} from "@openzeppelin/contracts/proxy/beacon/BeaconProxy.sol";
import {UpgradeableBeacon} from "@openzeppelin/contracts/proxy/beacon/UpgradeableBeacon.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

/// What most proxies here run: a counter with an owner.
contract Logic {
    address public owner;
    uint256 public count;

    function initialize(address to) external {
        require(owner == address(0));
        owner = to;
    }

    function increment() external {
        ++count;
    }
}

/// A counter that can replace itself.
contract UupsLogic is Logic, UUPSUpgradeable {
    function _authorizeUpgrade(address) internal view override {
        require(msg.sender == owner);
    }
}

/// A token that can replace itself, be printed and be stopped.
contract UupsPowerfulLogic is UupsLogic {
    mapping(address => uint256) public balances;
    bool public paused;

    function mint(address to, uint256 value) external {
        require(msg.sender == owner);
        balances[to] += value;
    }

    function pause() external {
        require(msg.sender == owner);
        paused = true;
    }
}

abstract contract Forwarder {
    function target() internal view virtual returns (address);

    fallback() external payable {
        address to = target();
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

/// EIP-1822: the target lies at keccak256("PROXIABLE").
contract ProxiableProxy is Forwarder {
    constructor(address to) {
        assembly { sstore(0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7, to) }
    }

    function target() internal view override returns (address to) {
        assembly { to := sload(0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7) }
    }
}

/// ZeppelinOS: the target lies at keccak256("org.zeppelinos.proxy.implementation").
contract ZeppelinProxy is Forwarder {
    constructor(address to) {
        assembly { sstore(0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3, to) }
    }

    function target() internal view override returns (address to) {
        assembly { to := sload(0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3) }
    }
}

/// The target lies in the first slot and is told as the master copy.
contract SafeProxy is Forwarder {
    address private singleton;

    constructor(address to) {
        singleton = to;
    }

    function target() internal view override returns (address) {
        return singleton;
    }

    function masterCopy() external view returns (address) {
        return singleton;
    }
}

/// What a Safe runs, as far as anybody looks.
contract SafeLogic {
    address private singleton;
    uint256 private threshold = 1;

    function getThreshold() external view returns (uint256) {
        return threshold;
    }
}

/// The target is told by `implementation()` and lies anywhere.
contract BasicProxy is Forwarder {
    mapping(uint256 => address) private targets;

    constructor(address to) {
        targets[7] = to;
    }

    function target() internal view override returns (address) {
        return targets[7];
    }

    function implementation() external view returns (address) {
        return targets[7];
    }
}

contract ComptrollerProxy is Forwarder {
    mapping(uint256 => address) private targets;

    constructor(address to) {
        targets[7] = to;
    }

    function target() internal view override returns (address) {
        return targets[7];
    }

    function comptrollerImplementation() external view returns (address) {
        return targets[7];
    }
}

/// EIP-2535: a target per function, with the loupe that lists them.
contract Diamond {
    mapping(bytes4 => address) private facets_;
    address[] private list;
    address public owner = msg.sender;

    constructor(address one, bytes4[] memory ofOne, address other, bytes4[] memory ofOther) {
        list.push(one);
        list.push(other);
        for (uint256 i = 0; i < ofOne.length; ++i) facets_[ofOne[i]] = one;
        for (uint256 i = 0; i < ofOther.length; ++i) facets_[ofOther[i]] = other;
    }

    function facetAddresses() external view returns (address[] memory) {
        return list;
    }

    function facetAddress(bytes4 selector) external view returns (address) {
        return facets_[selector];
    }

    fallback() external payable {
        address to = facets_[msg.sig];
        require(to != address(0));
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

contract CutFacet {
    function diamondCut(bytes calldata) external pure returns (bool) {
        return true;
    }
}

/// A beacon proxy whose own answers eat all the gas they get, so that nothing asked for after them is answered.
contract GreedyBeaconProxy is Forwarder {
    address private immutable beacon;

    constructor(address at) {
        beacon = at;
        assembly { sstore(0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50, at) }
    }

    function target() internal view override returns (address to) {
        (, bytes memory answer) = beacon.staticcall(hex"5c60da1b");
        to = abi.decode(answer, (address));
    }

    function owner() external pure {
        assembly { invalid() }
    }

    function masterCopy() external pure {
        assembly { invalid() }
    }

    function comptrollerImplementation() external pure {
        assembly { invalid() }
    }

    function facetAddresses() external pure {
        assembly { invalid() }
    }

    function facetAddress(bytes4) external pure {
        assembly { invalid() }
    }
}
