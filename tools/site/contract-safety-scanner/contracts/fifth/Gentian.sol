// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import "@openzeppelin/contracts/access/Ownable2Step.sol";
contract Gentian is ERC20, Ownable2Step {
    mapping(address => bool) public blacklisted; event Blacklisted(address indexed a, bool y);
    constructor() ERC20("Gentian", "GENT") Ownable(msg.sender) { _mint(msg.sender, 10_000_000 ether); }
    function setBlacklisted(address[] calldata list, bool y) external onlyOwner { for (uint256 i; i < list.length; i++) { blacklisted[list[i]] = y; emit Blacklisted(list[i], y); } }
    function _update(address f, address to, uint256 v) internal override { require(!blacklisted[f] && !blacklisted[to], "blacklisted"); super._update(f, to, v); }
}
