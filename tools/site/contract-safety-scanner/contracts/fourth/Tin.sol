// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Tin is ERC20 { constructor() ERC20("Tin", "TIN") { _mint(msg.sender, 8_000_000 ether); } }
