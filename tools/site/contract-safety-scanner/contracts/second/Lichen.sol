// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
/// reflection, fixed 2 %, no owner, no exclusions
contract Lichen {
    string public constant name = "Lichen"; string public constant symbol = "LICH"; uint8 public constant decimals = 9;
    uint256 public constant totalSupply = 100_000_000e9; uint256 private rTotal; mapping(address => uint256) private r; mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed o, address indexed s, uint256 v);
    constructor() { rTotal = type(uint256).max - (type(uint256).max % totalSupply); r[msg.sender] = rTotal; emit Transfer(address(0), msg.sender, totalSupply); }
    function rate() private view returns (uint256) { return rTotal / totalSupply; }
    function balanceOf(address a) public view returns (uint256) { return r[a] / rate(); }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address t, uint256 v) external returns (bool) { _t(msg.sender, t, v); return true; }
    function transferFrom(address f, address t, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; _t(f, t, v); return true; }
    function _t(address f, address t, uint256 v) private { uint256 k = rate(); uint256 fee = v / 50; r[f] -= v * k; r[t] += (v - fee) * k; rTotal -= fee * k; emit Transfer(f, t, v - fee); }
}
/// launch guard: 1 minute between trades of one wallet during the first 20 blocks only
contract Kestrel {
    string public constant name = "Kestrel"; string public constant symbol = "KEST"; uint8 public constant decimals = 18;
    uint256 public constant totalSupply = 9_000_000e18; uint256 private immutable start = block.number; mapping(address => uint256) private lastTrade;
    mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed o, address indexed s, uint256 v);
    constructor() { balanceOf[msg.sender] = totalSupply; emit Transfer(address(0), msg.sender, totalSupply); }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address t, uint256 v) external returns (bool) { _t(msg.sender, t, v); return true; }
    function transferFrom(address f, address t, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; _t(f, t, v); return true; }
    function _t(address f, address t, uint256 v) private {
        if (block.number < start + 20 && f.code.length == 0) { require(block.timestamp >= lastTrade[f] + 60, "slow down"); lastTrade[f] = block.timestamp; }
        balanceOf[f] -= v; balanceOf[t] += v; emit Transfer(f, t, v);
    }
}
