// SPDX-License-Identifier: MIT
pragma solidity ^0.8.27;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// A fixed supply, minted once to one recipient. Nobody can mint more and there is no owner.
contract AgentTokenERC20 is ERC20 {
    constructor(address recipient) ERC20("Agent Token", "AGENT") {
        _mint(recipient, 1_000_000_000 * 10 ** decimals());
    }
}
