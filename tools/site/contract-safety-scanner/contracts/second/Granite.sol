// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
contract GraniteToken is ERC20, AccessControl, UUPSUpgradeable, Initializable {
    bytes32 public constant UPGRADER_ROLE = keccak256("UPGRADER_ROLE");
    constructor() ERC20("Granite", "GRNT") { _disableInitializers(); }
    function initialize(address admin, address treasury) external initializer {
        _grantRole(DEFAULT_ADMIN_ROLE, admin); _grantRole(UPGRADER_ROLE, admin);
        _mint(treasury, 10_000_000e18);
    }
    function _authorizeUpgrade(address) internal override onlyRole(UPGRADER_ROLE) {}
}
