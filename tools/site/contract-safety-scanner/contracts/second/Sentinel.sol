// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import "@openzeppelin/contracts/access/AccessControl.sol";
/// regulated stablecoin: compliance may freeze
contract EuroNote is ERC20, AccessControl {
    bytes32 public constant COMPLIANCE = keccak256("COMPLIANCE"); bytes32 public constant ISSUER = keccak256("ISSUER");
    mapping(address => bool) public isFrozen; event Frozen(address indexed who, bool y); error AccountFrozen(address who);
    constructor(address safe) ERC20("Euro Note", "EURN") { _grantRole(DEFAULT_ADMIN_ROLE, safe); _grantRole(COMPLIANCE, safe); _grantRole(ISSUER, safe); _mint(msg.sender, 4_000_000e6); }
    function decimals() public pure override returns (uint8) { return 6; }
    function issue(address to, uint256 v) external onlyRole(ISSUER) { _mint(to, v); }
    function redeem(uint256 v) external { _burn(msg.sender, v); }
    function freeze(address w, bool y) external onlyRole(COMPLIANCE) { isFrozen[w] = y; emit Frozen(w, y); }
    function _update(address f, address t, uint256 v) internal override { if (isFrozen[f]) revert AccountFrozen(f); if (isFrozen[t]) revert AccountFrozen(t); super._update(f, t, v); }
}
