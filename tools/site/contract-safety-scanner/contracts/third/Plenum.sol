// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC20Votes} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Votes.sol"; import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol"; import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
contract Plenum is ERC20, ERC20Permit, ERC20Votes, Ownable {
    constructor() ERC20("Plenum", "PLEN") ERC20Permit("Plenum") Ownable(msg.sender) { _mint(msg.sender, 10_000_000 ether); }
    function mint(address to, uint256 amount) external onlyOwner { _mint(to, amount); }
    function _update(address f, address t, uint256 v) internal override(ERC20, ERC20Votes) { super._update(f, t, v); }
    function nonces(address o) public view override(ERC20Permit, Nonces) returns (uint256) { return super.nonces(o); }
}
