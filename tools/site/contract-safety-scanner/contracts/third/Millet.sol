// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
contract Millet is ERC20, ERC20Permit { constructor() ERC20("Millet", "MLT") ERC20Permit("Millet") { _mint(msg.sender, 21_000_000 ether); } }
