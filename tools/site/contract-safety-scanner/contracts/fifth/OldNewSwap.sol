// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
/// Old coins in, new coins out, one to one. The old ones are burnt. What is left after 180 days goes back to the sponsor.
contract OldNewSwap {
    using SafeERC20 for IERC20; IERC20 public immutable oldCoin; IERC20 public immutable newCoin; address public immutable sponsor; uint256 public immutable end; event Migrated(address indexed who, uint256 n);
    constructor(address o, address n) { oldCoin = IERC20(o); newCoin = IERC20(n); sponsor = msg.sender; end = block.timestamp + 180 days; }
    function migrate(uint256 n) external { _go(msg.sender, n); }
    function migrateAll() external { _go(msg.sender, oldCoin.balanceOf(msg.sender)); }
    function _go(address who, uint256 n) private { require(block.timestamp < end, "over"); oldCoin.safeTransferFrom(who, address(0xdEaD), n); newCoin.safeTransfer(who, n); emit Migrated(who, n); }
    function takeRest() external { require(msg.sender == sponsor && block.timestamp >= end, "early"); newCoin.safeTransfer(sponsor, newCoin.balanceOf(address(this))); }
}
