// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
/// Plain helper token that the vaults, stakings and bridges of the set hold.
contract OatToken is ERC20 { constructor() ERC20("Oat", "OAT") { _mint(msg.sender, 1_000_000_000 ether); } }
