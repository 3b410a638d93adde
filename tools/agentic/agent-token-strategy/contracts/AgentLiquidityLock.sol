// SPDX-License-Identifier: MIT
pragma solidity ^0.8.27;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {ERC721Holder} from "@openzeppelin/contracts/token/ERC721/utils/ERC721Holder.sol";

/// Holds the pool's liquidity, as shares (Aerodrome) or as a position (Uniswap v3), until a time that nobody can change.
/// The fees a position earns wait in it until then.
contract AgentLiquidityLock is ERC721Holder {
    using SafeERC20 for IERC20;

    address public immutable beneficiary;
    uint64 public immutable unlocksAt;

    error Locked(uint64 unlocksAt);

    constructor(address beneficiary_, uint64 unlocksAt_) {
        beneficiary = beneficiary_;
        unlocksAt = unlocksAt_;
    }

    modifier whenUnlocked() {
        if (block.timestamp < unlocksAt) revert Locked(unlocksAt);
        _;
    }

    function withdrawShares(IERC20 shares) external whenUnlocked {
        shares.safeTransfer(beneficiary, shares.balanceOf(address(this)));
    }

    function withdrawPosition(IERC721 positions, uint256 id) external whenUnlocked {
        positions.safeTransferFrom(address(this), beneficiary, id);
    }
}
