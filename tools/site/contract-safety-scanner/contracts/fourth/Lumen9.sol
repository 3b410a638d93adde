// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Lumen9 {
    string public constant name = "Wrapped Ether"; string public constant symbol = "WETH"; uint8 public constant decimals = 18;
    mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed src, address indexed dst, uint256 wad); event Approval(address indexed src, address indexed guy, uint256 wad); event Deposit(address indexed dst, uint256 wad); event Withdrawal(address indexed src, uint256 wad);
    receive() external payable { deposit(); }
    function totalSupply() external view returns (uint256) { return address(this).balance; }
    function deposit() public payable { balanceOf[msg.sender] += msg.value; emit Deposit(msg.sender, msg.value); }
    function withdraw(uint256 n) external { balanceOf[msg.sender] -= n; emit Withdrawal(msg.sender, n); (bool s,) = msg.sender.call{value: n}(""); require(s, "pay"); }
    function approve(address g, uint256 n) external returns (bool) { allowance[msg.sender][g] = n; emit Approval(msg.sender, g, n); return true; }
    function transfer(address d, uint256 n) external returns (bool) { _go(msg.sender, d, n); return true; }
    function transferFrom(address s, address d, uint256 n) external returns (bool) { uint256 a = allowance[s][msg.sender]; if (s != msg.sender && a != type(uint256).max) allowance[s][msg.sender] = a - n; _go(s, d, n); return true; }
    function _go(address s, address d, uint256 n) private { balanceOf[s] -= n; balanceOf[d] += n; emit Transfer(s, d, n); }
}
