// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/extensions/ERC20Pausable.sol"; import "@openzeppelin/contracts/access/Ownable.sol";
contract Viennese is ERC20Pausable, Ownable {
    constructor(address o) ERC20("Viennese", "WALZ") Ownable(o) { _mint(msg.sender, 6_000_000 ether); }
    function standStill() external onlyOwner { _pause(); } function danceOn() external onlyOwner { _unpause(); }
}
