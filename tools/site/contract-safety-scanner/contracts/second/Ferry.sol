// SPDX-License-Identifier: GPL-3.0
pragma solidity ^0.8.20;
interface IPairLike { function token0() external view returns (address); function getReserves() external view returns (uint112, uint112, uint32); function swap(uint256, uint256, address, bytes calldata) external; }
interface ITok { function transferFrom(address, address, uint256) external returns (bool); }
/// immutable router: pulls only from the caller
contract Ferry {
    error Late(); error Slippage(); error Pull();
    function cross(IPairLike pair, address tokenIn, uint256 amountIn, uint256 minOut, address to, uint256 deadline) external returns (uint256 out) {
        if (block.timestamp > deadline) revert Late();
        (uint112 a, uint112 b, ) = pair.getReserves();
        bool zero = pair.token0() == tokenIn;
        (uint256 ri, uint256 ro) = zero ? (uint256(a), uint256(b)) : (uint256(b), uint256(a));
        out = amountIn * 997 * ro / (ri * 1000 + amountIn * 997);
        if (out < minOut) revert Slippage();
        if (!ITok(tokenIn).transferFrom(msg.sender, address(pair), amountIn)) revert Pull();
        zero ? pair.swap(0, out, to, "") : pair.swap(out, 0, to, "");
    }
}
contract Foundry3 {
    event Cast(address at);
    function cast(bytes32 salt, bytes calldata code) external payable returns (address at) { bytes memory c = code; assembly { at := create2(callvalue(), add(c, 32), mload(c), salt) } require(at != address(0)); emit Cast(at); }
}
