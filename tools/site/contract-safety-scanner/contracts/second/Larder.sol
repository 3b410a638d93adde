// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import "@openzeppelin/contracts/access/AccessControl.sol";
/// inflation of at most 2 % a year
contract Larder is ERC20, AccessControl {
    bytes32 public constant COOK = keccak256("COOK"); uint256 public nextBatch;
    constructor(address tl) ERC20("Larder", "LARD") { _grantRole(DEFAULT_ADMIN_ROLE, tl); _grantRole(COOK, tl); _mint(msg.sender, 5_000_000e18); nextBatch = block.timestamp + 365 days; }
    function bake(address to, uint256 v) external onlyRole(COOK) { require(block.timestamp >= nextBatch && v <= totalSupply() / 50, "too soon or too much"); nextBatch = block.timestamp + 365 days; _mint(to, v); }
}
