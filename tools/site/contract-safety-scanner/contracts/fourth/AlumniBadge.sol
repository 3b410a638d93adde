// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC721/ERC721.sol";
contract AlumniBadge is ERC721 {
    address public immutable school; uint256 public awarded; event Locked(uint256 tokenId);
    constructor() ERC721("Alumni Badge", "ALUM") { school = msg.sender; }
    function award(address who) external { require(msg.sender == school, "school"); _mint(who, ++awarded); emit Locked(awarded); }
    function giveUp(uint256 id) external { require(ownerOf(id) == msg.sender, "yours?"); _burn(id); }
    function locked(uint256 id) external view returns (bool) { _requireOwned(id); return true; }
    function _update(address to, uint256 id, address auth) internal override returns (address) { require(_ownerOf(id) == address(0) || to == address(0), "bound to its holder"); return super._update(to, id, auth); }
    function supportsInterface(bytes4 i) public view override returns (bool) { return i == 0xb45a3c0e || super.supportsInterface(i); }
}
