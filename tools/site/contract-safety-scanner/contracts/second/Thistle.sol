// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC2981} from "@openzeppelin/contracts/token/common/ERC2981.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
contract ThistleDrop is ERC721, ERC2981, Ownable {
    uint256 public constant MAX = 3333; uint256 public constant PRICE = 0.02 ether; uint256 public minted; string private base;
    constructor(string memory b) ERC721("Thistle Drop", "THSL") Ownable(msg.sender) { base = b; _setDefaultRoyalty(msg.sender, 500); }
    function mint(uint256 n) external payable { require(n > 0 && n <= 10 && minted + n <= MAX && msg.value == n * PRICE); for (uint256 i; i < n; i++) _mint(msg.sender, ++minted); }
    function setBaseURI(string calldata b) external onlyOwner { base = b; }
    function withdraw() external onlyOwner { (bool ok, ) = owner().call{value: address(this).balance}(""); require(ok); }
    function _baseURI() internal view override returns (string memory) { return base; }
    function supportsInterface(bytes4 i) public view override(ERC721, ERC2981) returns (bool) { return super.supportsInterface(i); }
}
contract QuietNine is ERC721 {
    constructor(address to) ERC721("Quiet Nine", "QN") { for (uint256 i = 1; i < 10; i++) _mint(to, i); }
    function tokenURI(uint256 id) public view override returns (string memory) { _requireOwned(id); return "ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi"; }
}
