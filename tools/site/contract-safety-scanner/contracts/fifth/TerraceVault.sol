// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol"; import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
/// Keeps nothing idle: all goes into the terrace, which gives it back to the vault alone.
contract TerraceVault is ERC4626 {
    using SafeERC20 for IERC20; Terrace public immutable terrace;
    constructor(address t) ERC4626(IERC20(t)) ERC20("Terrace Yield", "terY") { terrace = new Terrace(IERC20(t)); IERC20(t).approve(address(terrace), type(uint256).max); }
    function totalAssets() public view override returns (uint256) { return terrace.held(); }
    function _decimalsOffset() internal pure override returns (uint8) { return 3; }
    function _deposit(address c, address r, uint256 a, uint256 s) internal override { super._deposit(c, r, a, s); terrace.plant(a); }
    function _withdraw(address c, address r, address o, uint256 a, uint256 s) internal override { terrace.reap(a); super._withdraw(c, r, o, a, s); }
}
contract Terrace {
    using SafeERC20 for IERC20; IERC20 public immutable token; address public immutable vault; uint256 public held;
    constructor(IERC20 t) { token = t; vault = msg.sender; }
    function plant(uint256 n) external { require(msg.sender == vault); held += n; token.safeTransferFrom(vault, address(this), n); }
    function reap(uint256 n) external { require(msg.sender == vault); held -= n; token.safeTransfer(vault, n); }
}
