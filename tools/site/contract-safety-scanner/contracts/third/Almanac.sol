// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
/// Ether time deposits; interest is paid from what donors put in. The arithmetic is in a fixed library contract that is called with delegatecall.
contract Almanac {
    address private immutable maths = address(new AlmanacMaths()); mapping(address => uint256) public saved; mapping(address => uint256) public until; uint256 public gifts;
    function donate() external payable { gifts += msg.value; }
    function trapEther(uint256 d) external payable { require(d <= 365 days && saved[msg.sender] == 0 && msg.value > 0); saved[msg.sender] = msg.value; until[msg.sender] = block.timestamp + d; }
    function _bonus(uint256 v) private returns (uint256) { (bool ok, bytes memory r) = maths.delegatecall(abi.encodeWithSignature("bonus(uint256,uint256)", v, gifts)); require(ok); return abi.decode(r, (uint256)); }
    function escape() external { uint256 v = saved[msg.sender]; require(v > 0); saved[msg.sender] = 0; if (block.timestamp >= until[msg.sender]) { uint256 b = _bonus(v); gifts -= b; v += b; } (bool ok,) = msg.sender.call{value: v}(""); require(ok); }
}
contract AlmanacMaths { function bonus(uint256 v, uint256 g) external pure returns (uint256) { uint256 b = v / 50; return b > g ? g : b; } }
