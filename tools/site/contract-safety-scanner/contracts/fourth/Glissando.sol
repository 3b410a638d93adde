// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/extensions/ERC1363.sol"; import "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol"; import "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
contract Glissando is ERC1363, ERC20Permit, ERC20Burnable { constructor() ERC20("Glissando", "GLIS") ERC20Permit("Glissando") { _mint(msg.sender, 7_000_000 ether); } }
