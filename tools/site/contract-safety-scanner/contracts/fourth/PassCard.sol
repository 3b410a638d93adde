// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC721/ERC721.sol"; import "@openzeppelin/contracts/access/Ownable.sol";
contract PassCard is ERC721, Ownable {
    uint256 public issued; bool public transferable = true; string private base = "https://pass.example/";
    constructor() ERC721("City Pass", "PASS") Ownable(msg.sender) {}
    function buy() external payable { require(msg.value == 0.03 ether, "price"); _mint(msg.sender, ++issued); }
    function setTransferable(bool y) external onlyOwner { transferable = y; }
    function setBase(string calldata b) external onlyOwner { base = b; }
    function _baseURI() internal view override returns (string memory) { return base; }
    function takeProceeds() external onlyOwner { payable(owner()).transfer(address(this).balance); }
    function _update(address to, uint256 id, address auth) internal override returns (address) { require(transferable || _ownerOf(id) == address(0), "not transferable"); return super._update(to, id, auth); }
}
