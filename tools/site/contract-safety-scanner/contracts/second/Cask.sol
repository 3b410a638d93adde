// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import "@openzeppelin/contracts/token/ERC20/extensions/ERC20Capped.sol";
import "@openzeppelin/contracts/access/Ownable2Step.sol";
contract Cask is ERC20Capped, Ownable2Step {
    constructor(address council) ERC20("Cask", "CASK") ERC20Capped(25_000_000e18) Ownable(council) { _mint(msg.sender, 20_000_000e18); }
    function emitRewards(address to, uint256 v) external onlyOwner { _mint(to, v); }
}
