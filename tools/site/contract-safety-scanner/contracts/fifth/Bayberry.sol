// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import "@openzeppelin/contracts/access/manager/AccessManaged.sol";
contract Bayberry is ERC20, AccessManaged {
    constructor(address m) ERC20("Bayberry", "BAY") AccessManaged(m) { _mint(msg.sender, 10_000_000 ether); }
    function mint(address to, uint256 v) external restricted { _mint(to, v); }
}
