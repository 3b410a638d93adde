// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract WrappedGas {
    string public constant name = "Wrapped Ether"; string public constant symbol = "WETH"; uint8 public constant decimals = 18;
    mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance;
    event Approval(address indexed a, address indexed b, uint256 v); event Transfer(address indexed a, address indexed b, uint256 v);
    receive() external payable { deposit(); }
    function totalSupply() external view returns (uint256) { return address(this).balance; }
    function deposit() public payable { balanceOf[msg.sender] += msg.value; emit Transfer(address(0), msg.sender, msg.value); }
    function withdraw(uint256 v) external { balanceOf[msg.sender] -= v; emit Transfer(msg.sender, address(0), v); (bool ok,) = msg.sender.call{value: v}(""); require(ok); }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address t, uint256 v) external returns (bool) { return transferFrom(msg.sender, t, v); }
    function transferFrom(address f, address t, uint256 v) public returns (bool) { if (f != msg.sender && allowance[f][msg.sender] != type(uint256).max) allowance[f][msg.sender] -= v; balanceOf[f] -= v; balanceOf[t] += v; emit Transfer(f, t, v); return true; }
}
