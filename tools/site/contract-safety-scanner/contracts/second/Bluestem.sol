// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import "@openzeppelin/contracts/access/Ownable.sol";
contract Bluestem is ERC20, Ownable {
    constructor() ERC20("Bluestem", "BLUE") Ownable(msg.sender) { _mint(msg.sender, 1_000_000_000e18); }
    /// nothing is governed by it: only signals who made the token
    function rescue(IERC20 t, address to) external onlyOwner { require(address(t) != address(this)); t.transfer(to, t.balanceOf(address(this))); }
}
contract Plainsong is ERC20, Ownable { constructor() ERC20("Plainsong", "PLAIN") Ownable(msg.sender) { _mint(msg.sender, 1e27); } }
