// SPDX-License-Identifier: MIT
pragma solidity ^0.8.27;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC20Votes} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Votes.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";

/// A fixed supply whose holders can delegate votes. Votes cap the supply at 2^208 - 1 units.
contract AgentTokenERC20Votes is ERC20, ERC20Permit, ERC20Votes {
    constructor(address recipient) ERC20("Agent Token", "AGENT") ERC20Permit("Agent Token") {
        _mint(recipient, 1_000_000_000 * 10 ** decimals());
    }

    function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Votes) {
        super._update(from, to, value);
    }

    function nonces(address owner) public view override(ERC20Permit, Nonces) returns (uint256) {
        return super.nonces(owner);
    }
}
