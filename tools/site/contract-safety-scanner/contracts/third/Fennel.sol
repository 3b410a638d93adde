// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import {ERC20Burnable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
contract Fennel is ERC20, ERC20Burnable {
    address public immutable board; bool public halted;
    constructor(address b) ERC20("Fennel", "FNL") { board = b; _mint(msg.sender, 12_345_678 ether); }
    function issue(address to, uint256 v) external { require(msg.sender == board, "board"); _mint(to, v); }
    function halt(bool on) external { require(msg.sender == board, "board"); halted = on; }
    function _update(address f, address t, uint256 v) internal override { require(!halted || f == address(0), "halted"); super._update(f, t, v); }
}
