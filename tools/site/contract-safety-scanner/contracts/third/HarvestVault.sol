// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol"; import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol"; import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
/// Gains come in as plain transfers; on accrue() a share of the gain, at most 20 %, goes to the owner as shares.
contract HarvestVault is ERC4626, Ownable {
    uint256 public feeBps = 1000; uint256 public mark;
    constructor(IERC20 a) ERC20("Harvest Oat", "hOAT") ERC4626(a) Ownable(msg.sender) {}
    function setFee(uint256 b) external onlyOwner { require(b <= 2000, "max 20 %"); accrue(); feeBps = b; }
    function accrue() public { uint256 n = totalAssets(); if (n > mark && totalSupply() > 0) { uint256 f = (n - mark) * feeBps / 10000; if (f > 0) _mint(owner(), f * totalSupply() / (n - f)); } mark = n; }
    function _deposit(address c, address r, uint256 a, uint256 s) internal override { super._deposit(c, r, a, s); mark += a; }
    function _withdraw(address c, address r, address o, uint256 a, uint256 s) internal override { super._withdraw(c, r, o, a, s); mark = mark > a ? mark - a : 0; }
}
