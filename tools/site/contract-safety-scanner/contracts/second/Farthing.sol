// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Farthing {
    string public constant name = "Farthing"; string public constant symbol = "FARTH"; uint8 public constant decimals = 18;
    uint256 public constant MAX_TOLL_BPS = 100;
    uint256 public immutable totalSupply = 240_000_000e18;
    address public immutable steward; address public immutable treasury; uint256 public tollBps = 50;
    mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value); event Toll(uint256 bps);
    error TollTooHigh(); error NotSteward();
    constructor(address treasury_) { steward = msg.sender; treasury = treasury_; balanceOf[msg.sender] = 240_000_000e18; emit Transfer(address(0), msg.sender, 240_000_000e18); }
    function setToll(uint256 b) external { if (msg.sender != steward) revert NotSteward(); if (b > MAX_TOLL_BPS) revert TollTooHigh(); tollBps = b; emit Toll(b); }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address t, uint256 v) external returns (bool) { _t(msg.sender, t, v); return true; }
    function transferFrom(address f, address t, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; _t(f, t, v); return true; }
    function _t(address f, address t, uint256 v) private {
        uint256 toll = v * tollBps / 10_000;
        balanceOf[f] -= v;
        unchecked { balanceOf[t] += v - toll; balanceOf[treasury] += toll; }
        emit Transfer(f, t, v - toll); if (toll > 0) emit Transfer(f, treasury, toll);
    }
}
