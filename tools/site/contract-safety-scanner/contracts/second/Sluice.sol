// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import "@openzeppelin/contracts/token/ERC20/extensions/ERC20Pausable.sol";
import "@openzeppelin/contracts/access/AccessControl.sol";
contract Sluice is ERC20Pausable, AccessControl {
    bytes32 public constant WARDEN = keccak256("WARDEN");
    constructor() ERC20("Sluice", "SLC") { _grantRole(DEFAULT_ADMIN_ROLE, msg.sender); _mint(msg.sender, 64_000_000e18); }
    function pause() external onlyRole(WARDEN) { _pause(); }
    function unpause() external onlyRole(WARDEN) { _unpause(); }
}
