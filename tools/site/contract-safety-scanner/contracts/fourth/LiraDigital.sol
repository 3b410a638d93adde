// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import "@openzeppelin/contracts/access/AccessControl.sol";
contract LiraDigital is ERC20, AccessControl {
    bytes32 public constant ISSUER = keccak256("ISSUER"); bytes32 public constant COMPLIANCE = keccak256("COMPLIANCE"); mapping(address => bool) public frozen; event Frozen(address indexed who, bool yes);
    constructor(address bank) ERC20("Lira Digital", "LIRA") { _grantRole(DEFAULT_ADMIN_ROLE, bank); _grantRole(ISSUER, bank); _grantRole(COMPLIANCE, bank); _mint(bank, 5_000_000e6); }
    function decimals() public pure override returns (uint8) { return 6; }
    function issue(address to, uint256 v) external onlyRole(ISSUER) { _mint(to, v); }
    function freeze(address who, bool yes) external onlyRole(COMPLIANCE) { frozen[who] = yes; emit Frozen(who, yes); }
    function _update(address f, address to, uint256 v) internal override { require(!frozen[f] && !frozen[to], "frozen"); super._update(f, to, v); }
}
