// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Kindling is ERC20 {
    uint256 public constant BURN_BPS = 100;
    constructor() ERC20("Kindling", "KNDL") { _mint(msg.sender, 100_000_000 ether); }
    function _update(address f, address t, uint256 v) internal override { uint256 x = f == address(0) || t == address(0) ? 0 : v * BURN_BPS / 10000; if (x > 0) super._update(f, address(0), x); super._update(f, t, v - x); }
}
