// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
contract Tollgate is ERC20, Ownable {
    uint256 public constant MAX_TOLL = 500; uint256 public toll = 300; address public keeper;
    constructor() ERC20("Tollgate", "TOLL") Ownable(msg.sender) { keeper = msg.sender; _mint(msg.sender, 1_000_000 ether); }
    function setToll(uint256 t, address k) external onlyOwner { require(t <= MAX_TOLL && k != address(0), "max 5 %"); toll = t; keeper = k; }
    function _update(address f, address t, uint256 v) internal override { uint256 x = f == address(0) || f == owner() || t == keeper ? 0 : v * toll / 10000; super._update(f, t, v - x); if (x > 0) super._update(f, keeper, x); }
}
