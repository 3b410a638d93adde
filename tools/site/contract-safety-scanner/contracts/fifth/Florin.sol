// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/extensions/ERC20Pausable.sol"; import "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol"; import "@openzeppelin/contracts/access/AccessControl.sol";
contract Florin is ERC20Pausable, ERC20Permit, AccessControl {
    bytes32 public constant MINTER = keccak256("MINTER"); bytes32 public constant PAUSER = keccak256("PAUSER"); bytes32 public constant FREEZER = keccak256("FREEZER"); mapping(address => bool) public frozen; event Frozen(address indexed a, bool y);
    constructor(address admin) ERC20("Florin", "FLRN") ERC20Permit("Florin") { _grantRole(DEFAULT_ADMIN_ROLE, admin); _grantRole(MINTER, admin); _grantRole(PAUSER, admin); _grantRole(FREEZER, admin); _mint(msg.sender, 3_000_000e6); }
    function decimals() public pure override returns (uint8) { return 6; }
    function mint(address to, uint256 n) external onlyRole(MINTER) { _mint(to, n); }
    function pause() external onlyRole(PAUSER) { _pause(); }
    function unpause() external onlyRole(PAUSER) { _unpause(); }
    function freeze(address a, bool y) external onlyRole(FREEZER) { frozen[a] = y; emit Frozen(a, y); }
    function _update(address f, address to, uint256 v) internal override(ERC20, ERC20Pausable) { require(!frozen[f] && !frozen[to], "frozen"); super._update(f, to, v); }
}
