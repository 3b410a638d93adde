// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC721/ERC721.sol";
/// Paid membership; the guild may expel a member, and then pays the price back.
contract GuildSeat is ERC721 {
    address public immutable guild; uint256 public seats; uint256 public constant PRICE = 0.02 ether; event Expelled(address indexed who, uint256 id);
    constructor(address g) ERC721("Guild Seat", "SEAT") { guild = g; }
    function join() external payable { require(msg.value == PRICE, "price"); _mint(msg.sender, ++seats); }
    function expel(uint256 id) external { require(msg.sender == guild, "guild"); address o = ownerOf(id); _burn(id); emit Expelled(o, id); (bool s,) = o.call{value: PRICE}(""); s; }
}
