// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol"; import {Ownable2Step, Ownable} from "@openzeppelin/contracts/access/Ownable2Step.sol";
contract Bramble is ERC20, ERC20Permit, Ownable2Step {
    constructor(address dao) ERC20("Bramble", "BRM") ERC20Permit("Bramble") Ownable(dao) { _mint(msg.sender, 20_000_000 ether); }
    function mint(address to, uint256 v) external onlyOwner { _mint(to, v); }
}
