// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
/// Off-chain signatures of `getThreshold()` owners let a call through.
contract SignedCouncil {
    address[] private _o; mapping(address => bool) public isOwner; uint256 private immutable _t; uint256 public nonce;
    constructor(address[] memory o, uint256 t) { _o = o; _t = t; for (uint256 i; i < o.length; i++) isOwner[o[i]] = true; }
    function getOwners() external view returns (address[] memory) { return _o; } function getThreshold() external view returns (uint256) { return _t; }
    /// an owner who sends the transaction counts with an empty signature
    function execTransaction(address to, bytes calldata data, bytes[] calldata sigs) external {
        bytes32 h = keccak256(abi.encode(block.chainid, this, to, data, nonce++)); uint256 good;
        for (uint256 i; i < sigs.length; i++) { address s = sigs[i].length == 0 ? msg.sender : _who(h, sigs[i]); if (isOwner[s]) good++; }
        require(good >= _t, "threshold"); (bool ok,) = to.call(data); require(ok, "call");
    }
    function _who(bytes32 h, bytes calldata s) private pure returns (address w) { require(s.length == 65); w = ecrecover(h, uint8(s[64]), bytes32(s[:32]), bytes32(s[32:64])); require(w != address(0)); }
}
contract Brasswork {
    string public constant name = "Brasswork"; string public constant symbol = "BRSW"; uint8 public constant decimals = 18; uint256 public totalSupply; address public immutable owner;
    mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
    constructor(address o) { owner = o; _mint(msg.sender, 6_000_000 ether); }
    function _mint(address t, uint256 v) private { totalSupply += v; balanceOf[t] += v; emit Transfer(address(0), t, v); }
    function cast(address t, uint256 v) external { require(msg.sender == owner, "council only"); _mint(t, v); }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address t, uint256 v) external returns (bool) { balanceOf[msg.sender] -= v; balanceOf[t] += v; emit Transfer(msg.sender, t, v); return true; }
    function transferFrom(address f, address t, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; balanceOf[f] -= v; balanceOf[t] += v; emit Transfer(f, t, v); return true; }
}
