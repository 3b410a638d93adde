// SPDX-License-Identifier: MIT
pragma solidity ^0.8.27;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";

/// Holds staked tokens. Rewards sent to it raise the share price of everyone who is in.
contract AgentVaultERC4626 is ERC4626 {
    constructor(IERC20 asset_) ERC20("Agent Vault", "vAGENT") ERC4626(asset_) {}

    /// Six virtual decimals make the first-deposit inflation attack cost a million times what it can take.
    function _decimalsOffset() internal pure override returns (uint8) {
        return 6;
    }
}
