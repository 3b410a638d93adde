// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
contract LedgerCoin is ERC20, Ownable {
    constructor(address o) ERC20("Ledger Coin", "LEDG") Ownable(o) { _mint(msg.sender, 1_000_000e18); }
    function mint(address to, uint256 amount) external onlyOwner { _mint(to, amount); }
}
