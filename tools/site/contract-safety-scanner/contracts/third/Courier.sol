// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
/// Gasless token: an owner may name a delegate who signs permits for it.
contract Courier {
    string public constant name = "Courier"; string public constant symbol = "COUR"; uint8 public constant decimals = 18; uint256 public constant totalSupply = 50_000_000 ether;
    mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance; mapping(address => uint256) public nonces;
    mapping(address => address) public signerFor;
    bytes32 private constant T = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 public immutable DOMAIN_SEPARATOR;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
    constructor() { balanceOf[msg.sender] = totalSupply; emit Transfer(address(0), msg.sender, totalSupply); DOMAIN_SEPARATOR = keccak256(abi.encode(keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"), keccak256("Courier"), keccak256("1"), block.chainid, address(this))); }
    function nameSigner(address s) external { signerFor[msg.sender] = s; }
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        require(block.timestamp <= deadline, "late");
        bytes32 h = keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR, keccak256(abi.encode(T, owner, spender, value, nonces[owner]++, deadline))));
        address who = ecrecover(h, v, r, s);
        require(who == owner || who == signerFor[owner], "signature");
        allowance[owner][spender] = value; emit Approval(owner, spender, value);
    }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address t, uint256 v) external returns (bool) { _move(msg.sender, t, v); return true; }
    function transferFrom(address f, address t, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; _move(f, t, v); return true; }
    function _move(address f, address t, uint256 v) private { balanceOf[f] -= v; unchecked { balanceOf[t] += v; } emit Transfer(f, t, v); }
}
