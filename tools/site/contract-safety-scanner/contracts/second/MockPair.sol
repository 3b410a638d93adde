// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface IT { function balanceOf(address) external view returns (uint256); function transfer(address, uint256) external returns (bool); }
/// Uniswap-v2-shaped pair for the test chain: same views and swap signature, no K check.
contract MockPair {
    address public token0; address public token1; address public factory;
    uint112 private r0; uint112 private r1; uint32 private ts;
    constructor(address a, address b) { (token0, token1) = a < b ? (a, b) : (b, a); factory = msg.sender; }
    function initialize(address a, address b) external { require(msg.sender == factory); (token0, token1) = a < b ? (a, b) : (b, a); }
    function getReserves() external view returns (uint112, uint112, uint32) { return (r0, r1, ts); }
    function sync() public { r0 = uint112(IT(token0).balanceOf(address(this))); r1 = uint112(IT(token1).balanceOf(address(this))); ts = uint32(block.timestamp); }
    function swap(uint256 o0, uint256 o1, address to, bytes calldata) external {
        if (o0 > 0) IT(token0).transfer(to, o0);
        if (o1 > 0) IT(token1).transfer(to, o1);
        sync();
    }
    /// buy of one side, for the proofs
    function hand(address t, address to, uint256 v) external { IT(t).transfer(to, v); sync(); }
}
