// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Sunhop is ERC20 {
    constructor() ERC20("Sunhop", "SHOP") { _mint(msg.sender, 1e12 ether); }
    function burn(address from, uint256 amount) public { _burn(from, amount); }
}
