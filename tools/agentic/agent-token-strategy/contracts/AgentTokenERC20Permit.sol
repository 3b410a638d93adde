// SPDX-License-Identifier: MIT
pragma solidity ^0.8.27;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// A fixed supply with gasless approvals (ERC-2612). Nobody can mint more and there is no owner.
contract AgentTokenERC20Permit is ERC20, ERC20Permit {
    constructor(address recipient) ERC20("Agent Token", "AGENT") ERC20Permit("Agent Token") {
        _mint(recipient, 1_000_000_000 * 10 ** decimals());
    }
}
