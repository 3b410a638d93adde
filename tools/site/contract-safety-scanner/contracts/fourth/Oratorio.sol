// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import "@openzeppelin/contracts/access/Ownable.sol";
contract Oratorio is ERC20, Ownable {
    constructor(address o) ERC20("Oratorio", "ORAT") Ownable(o) { _mint(msg.sender, 2_000_000 ether); }
    function mint(address to, uint256 v) external onlyOwner { _mint(to, v); }
}
