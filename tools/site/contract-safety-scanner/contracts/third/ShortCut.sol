// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface ISC { function transfer(address, uint256) external returns (bool); function transferFrom(address, address, uint256) external returns (bool); function token0() external view returns (address); function getReserves() external view returns (uint112, uint112, uint32); function swap(uint256, uint256, address, bytes calldata) external; function balanceOf(address) external view returns (uint256); }
/// Router: takes only from the caller, keeps nothing; several calls can be joined.
contract ShortCut {
    function multicall(bytes[] calldata calls) external returns (bytes[] memory out) { out = new bytes[](calls.length); for (uint256 i; i < calls.length; i++) { (bool ok, bytes memory r) = address(this).delegatecall(calls[i]); require(ok, "call"); out[i] = r; } }
    function swapExactIn(ISC pair, ISC tokenIn, uint256 v, uint256 min, address to) external returns (uint256 out) { bool zero = pair.token0() == address(tokenIn); (uint112 a, uint112 b,) = pair.getReserves(); (uint256 ri, uint256 ro) = zero ? (uint256(a), uint256(b)) : (uint256(b), uint256(a)); out = v * 997 * ro / (ri * 1000 + v * 997); require(out >= min, "slippage"); require(tokenIn.transferFrom(msg.sender, address(pair), v)); pair.swap(zero ? 0 : out, zero ? out : 0, to, ""); }
    function sweepAll(ISC token, address to) external { require(token.transfer(to, token.balanceOf(address(this)))); }
}
