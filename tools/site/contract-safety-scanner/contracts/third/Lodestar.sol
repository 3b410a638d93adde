// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Lodestar is ERC20 {
    address public warden; mapping(address => bool) public isBlackListed; event Listed(address indexed w, bool on);
    constructor(address w) ERC20("Lodestar Dollar", "LUSD") { warden = w; _mint(msg.sender, 40_000_000 ether); }
    function setBlackList(address w, bool on) external { require(msg.sender == warden, "warden"); isBlackListed[w] = on; emit Listed(w, on); }
    function _update(address f, address t, uint256 v) internal override { require(!isBlackListed[f], "listed"); super._update(f, t, v); }
}
