// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface IBal { function balanceOf(address) external view returns (uint256); function transfer(address, uint256) external returns (bool); }
/// Uniswap-v2-shaped pair with the K check (0.3 %), without liquidity tokens and factory.
contract MockPair {
    address public token0; address public token1; address private immutable maker; uint112 private r0; uint112 private r1; uint32 private at;
    event Sync(uint112 reserve0, uint112 reserve1);
    event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to);
    constructor(address a, address b) { maker = msg.sender; _set(a, b); }
    function _set(address a, address b) private { (token0, token1) = a < b ? (a, b) : (b, a); }
    function initialize(address a, address b) external { require(msg.sender == maker && r0 == 0 && r1 == 0); _set(a, b); }
    function getReserves() external view returns (uint112, uint112, uint32) { return (r0, r1, at); }
    function _upd() private returns (uint256 b0, uint256 b1) { b0 = IBal(token0).balanceOf(address(this)); b1 = IBal(token1).balanceOf(address(this)); r0 = uint112(b0); r1 = uint112(b1); at = uint32(block.timestamp); emit Sync(r0, r1); }
    function sync() external { _upd(); }
    function swap(uint256 o0, uint256 o1, address to, bytes calldata) external {
        (uint256 p0, uint256 p1) = (r0, r1); require(o0 < p0 && o1 < p1, "LIQ");
        if (o0 > 0) require(IBal(token0).transfer(to, o0)); if (o1 > 0) require(IBal(token1).transfer(to, o1));
        (uint256 b0, uint256 b1) = _upd();
        uint256 i0 = b0 > p0 - o0 ? b0 - (p0 - o0) : 0; uint256 i1 = b1 > p1 - o1 ? b1 - (p1 - o1) : 0;
        require(i0 > 0 || i1 > 0, "IN"); require((b0 * 1000 - i0 * 3) * (b1 * 1000 - i1 * 3) >= p0 * p1 * 1000000, "K");
        emit Swap(msg.sender, i0, i1, o0, o1, to);
    }
}
