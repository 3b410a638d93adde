// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
contract SlowMint is ERC20, Ownable {
    uint256 public nextMint; uint256 public constant CAP_BPS = 200;
    constructor() ERC20("Slow Mint", "SLOW") Ownable(msg.sender) { _mint(msg.sender, 1_000_000_000 ether); nextMint = block.timestamp + 365 days; }
    function mint(address to, uint256 v) external onlyOwner { require(block.timestamp >= nextMint, "once a year"); require(v <= totalSupply() * CAP_BPS / 10000, "2 %"); nextMint = block.timestamp + 365 days; _mint(to, v); }
}
