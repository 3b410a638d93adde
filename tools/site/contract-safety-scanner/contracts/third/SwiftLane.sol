// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface ISL { function transfer(address, uint256) external returns (bool); function transferFrom(address, address, uint256) external returns (bool); function balanceOf(address) external view returns (uint256); function approve(address, uint256) external returns (bool); }
/// Swap aggregator without owner. Approve once, route anywhere.
contract SwiftLane {
    event Routed(address indexed user, address tokenIn, address tokenOut, uint256 got);
    function route(ISL tokenIn, uint256 amountIn, ISL tokenOut, uint256 minOut, address venue, bytes calldata data) external returns (uint256 got) {
        if (amountIn > 0) { require(tokenIn.transferFrom(msg.sender, address(this), amountIn)); tokenIn.approve(venue, amountIn); }
        uint256 b = tokenOut.balanceOf(address(this)); (bool ok,) = venue.call(data); require(ok, "venue");
        got = tokenOut.balanceOf(address(this)) - b; require(got >= minOut, "slippage"); if (got > 0) require(tokenOut.transfer(msg.sender, got)); emit Routed(msg.sender, address(tokenIn), address(tokenOut), got);
    }
}
