// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import "@openzeppelin/contracts/access/Ownable.sol";
contract Celesta is ERC20, Ownable {
    uint256 public fee = 100; event FeeLowered(uint256 bps);
    constructor() ERC20("Celesta", "CLST") Ownable(msg.sender) { _mint(msg.sender, 9_000_000 ether); }
    /// the fee can only ever go down
    function lowerFee(uint256 bps) external onlyOwner { require(bps < fee, "only down"); fee = bps; emit FeeLowered(bps); }
    function _update(address f, address to, uint256 v) internal override { if (f != address(0) && to != address(0) && f != owner() && to != owner()) { uint256 t = v * fee / 10000; if (t > 0) { super._update(f, address(0), t); v -= t; } } super._update(f, to, v); }
}
