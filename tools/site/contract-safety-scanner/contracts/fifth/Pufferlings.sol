// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC721/ERC721.sol"; import "@openzeppelin/contracts/access/Ownable.sol"; import "@openzeppelin/contracts/token/common/ERC2981.sol";
contract Pufferlings is ERC721, ERC2981, Ownable {
    uint256 public maxSupply = 1000; uint256 public minted; uint256 public price = 0.01 ether;
    constructor() ERC721("Pufferlings", "PUFF") Ownable(msg.sender) { _setDefaultRoyalty(msg.sender, 500); }
    function mint(uint256 n) external payable { require(msg.value == n * price && n <= 10, "price"); _many(msg.sender, n); }
    function devMint(address to, uint256 n) external onlyOwner { _many(to, n); }
    function setMaxSupply(uint256 n) external onlyOwner { maxSupply = n; }
    function setPrice(uint256 p) external onlyOwner { price = p; }
    function withdraw() external onlyOwner { payable(owner()).transfer(address(this).balance); }
    function _many(address to, uint256 n) private { require(minted + n <= maxSupply, "sold out"); for (uint256 i; i < n; i++) _mint(to, ++minted); }
    function supportsInterface(bytes4 i) public view override(ERC721, ERC2981) returns (bool) { return super.supportsInterface(i); }
}
