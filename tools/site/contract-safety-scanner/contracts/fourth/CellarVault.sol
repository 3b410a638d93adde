// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
/// Who leaves leaves a thousandth behind for those who stay.
contract CellarVault is ERC4626 {
    using Math for uint256; constructor(IERC20 a) ERC20("Cellar Share", "CELL") ERC4626(a) {}
    function _decimalsOffset() internal pure override returns (uint8) { return 6; }
    function previewRedeem(uint256 s) public view override returns (uint256) { uint256 a = super.previewRedeem(s); return a - a.mulDiv(1, 1000, Math.Rounding.Ceil); }
    function previewWithdraw(uint256 a) public view override returns (uint256) { return super.previewWithdraw(a.mulDiv(1000, 999, Math.Rounding.Ceil) + 1); }
    function maxWithdraw(address o) public view override returns (uint256) { uint256 a = super.maxWithdraw(o); return a - a.mulDiv(1, 1000, Math.Rounding.Ceil); }
}
