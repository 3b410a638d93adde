// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol"; import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
contract HalyardTimelock is TimelockController { constructor(uint256 d, address[] memory p, address[] memory e, address a) TimelockController(d, p, e, a) {} }
/// All powers are held by the timelock.
contract Halyard is ERC20, Ownable {
    constructor(address timelock) ERC20("Halyard", "HAL") Ownable(timelock) { _mint(msg.sender, 3_000_000 ether); }
    function mint(address to, uint256 v) external onlyOwner { _mint(to, v); }
}
