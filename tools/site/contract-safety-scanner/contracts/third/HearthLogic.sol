// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
/// Ether savings: mint() takes Ether in, burn(amount) gives it back.
contract HearthLogic {
    mapping(address => uint256) public balanceOf; uint256 public totalSupply;
    event Transfer(address indexed from, address indexed to, uint256 value);
    function mint() external payable { balanceOf[msg.sender] += msg.value; totalSupply += msg.value; emit Transfer(address(0), msg.sender, msg.value); }
    function burn(uint256 v) external { balanceOf[msg.sender] -= v; totalSupply -= v; emit Transfer(msg.sender, address(0), v); (bool ok,) = msg.sender.call{value: v}(""); require(ok); }
    function transfer(address t, uint256 v) external returns (bool) { balanceOf[msg.sender] -= v; balanceOf[t] += v; emit Transfer(msg.sender, t, v); return true; }
}
