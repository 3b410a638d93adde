// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import {ERC20Pausable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Pausable.sol"; import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
/// Regulated payment token.
contract Ducat is ERC20, ERC20Pausable, AccessControl {
    bytes32 public constant COMPLIANCE = keccak256("COMPLIANCE"); mapping(address => bool) public frozen; event Frozen(address indexed who, bool on);
    constructor(address officer) ERC20("Ducat", "DUC") { _grantRole(DEFAULT_ADMIN_ROLE, officer); _grantRole(COMPLIANCE, officer); _mint(msg.sender, 5_000_000e6); }
    function decimals() public pure override returns (uint8) { return 6; }
    function pause() external onlyRole(COMPLIANCE) { _pause(); } function unpause() external onlyRole(COMPLIANCE) { _unpause(); }
    function freeze(address who, bool on) external onlyRole(COMPLIANCE) { frozen[who] = on; emit Frozen(who, on); }
    function _update(address f, address t, uint256 v) internal override(ERC20, ERC20Pausable) { require(!frozen[f] && !frozen[t], "frozen"); super._update(f, t, v); }
}
