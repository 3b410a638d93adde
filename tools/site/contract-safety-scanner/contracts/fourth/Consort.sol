// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import "@openzeppelin/contracts/access/Ownable.sol";
contract Consort is ERC20, Ownable {
    bool public membersOnly; mapping(address => bool) public member; event MembersOnly(bool yes); event Member(address indexed who, bool yes);
    constructor() ERC20("Consort Share", "CONS") Ownable(msg.sender) { _mint(msg.sender, 1_000_000 ether); }
    function setMembersOnly(bool y) external onlyOwner { membersOnly = y; emit MembersOnly(y); }
    function setMember(address a, bool y) external onlyOwner { member[a] = y; emit Member(a, y); }
    function _update(address f, address to, uint256 v) internal override { if (membersOnly) require(member[f] && member[to], "members only"); super._update(f, to, v); }
}
