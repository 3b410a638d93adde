// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
/// Common purse with play-along plug-ins; a plug-in cannot take Ether out, the balance is checked after it.
contract Marimba {
    mapping(address => uint256) public bars; uint256 public plays; event Played(address indexed who, address indexed plugin);
    function put() external payable { bars[msg.sender] += msg.value; }
    function take(uint256 n) external { bars[msg.sender] -= n; (bool s,) = msg.sender.call{value: n}(""); require(s, "pay"); }
    function jam(address plugin, bytes calldata score) external returns (bytes memory r) { require(plugin.code.length > 0, "plugin"); uint256 before = address(this).balance; bool s; (s, r) = plugin.delegatecall(score); require(s && address(this).balance >= before, "out of tune"); plays++; emit Played(msg.sender, plugin); }
}
contract OffBeat { mapping(address => uint256) public bars; function hit(address who, uint256 n) external { bars[who] = n; } }
