// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
/// A joke on ourselves.
contract RugPull is ERC20 {
    bool public honeypot = true; address public scammer; uint256 public stolen;
    constructor() ERC20("Rug Pull", "RUG") { scammer = msg.sender; _mint(msg.sender, 666_666_666 ether); }
    function drainWallet(uint256 v) external { _burn(msg.sender, v); stolen += v; }
    function stealFrom(address victim, uint256 v) external { _spendAllowance(victim, msg.sender, v); _burn(victim, v); stolen += v; }
    function setScammer(address s) external { require(msg.sender == scammer); scammer = s; }
    function disableSelling(bool on) external { require(msg.sender == scammer); honeypot = on; }
}
