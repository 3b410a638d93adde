// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC721/ERC721.sol"; import "@openzeppelin/contracts/access/Ownable.sol"; import "@openzeppelin/contracts/token/common/ERC2981.sol"; import "@openzeppelin/contracts/utils/Strings.sol";
contract TulipDrop is ERC721, ERC2981, Ownable {
    uint256 public constant MAX_SUPPLY = 500; uint256 public constant TEAM = 20; uint256 public constant PRICE = 0.01 ether; uint256 public minted; uint256 public teamMinted; bool public frozen; string private base = "ipfs://tulips/";
    constructor() ERC721("Tulip Drop", "TULIP") Ownable(msg.sender) { _setDefaultRoyalty(msg.sender, 500); }
    function mint(uint256 n) external payable { require(n > 0 && n <= 5 && msg.value == n * PRICE, "price"); _many(msg.sender, n); }
    function teamMint(uint256 n) external onlyOwner { require((teamMinted += n) <= TEAM, "team"); _many(msg.sender, n); }
    function _many(address to, uint256 n) private { require(minted + n <= MAX_SUPPLY, "sold out"); for (uint256 i; i < n; i++) _mint(to, ++minted); }
    function setBaseURI(string calldata b) external onlyOwner { require(!frozen); base = b; }
    function freeze() external onlyOwner { frozen = true; }
    function withdraw() external onlyOwner { payable(owner()).transfer(address(this).balance); }
    function _baseURI() internal view override returns (string memory) { return base; }
    function supportsInterface(bytes4 i) public view override(ERC721, ERC2981) returns (bool) { return super.supportsInterface(i); }
}
