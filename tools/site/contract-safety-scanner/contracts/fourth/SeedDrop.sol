// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol"; import "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
contract SeedDrop {
    using SafeERC20 for IERC20; IERC20 public immutable token; bytes32 public immutable root; address public immutable sponsor; uint256 public immutable until; mapping(address => bool) public fetched; event Fetched(address indexed who, uint256 n);
    constructor(IERC20 t, bytes32 r, uint256 span) { token = t; root = r; sponsor = msg.sender; until = block.timestamp + span; }
    function fetch(address who, uint256 n, bytes32[] calldata p) external { require(!fetched[who], "fetched"); require(MerkleProof.verifyCalldata(p, root, keccak256(bytes.concat(keccak256(abi.encode(who, n))))), "proof"); fetched[who] = true; token.safeTransfer(who, n); emit Fetched(who, n); }
    function sweepRest() external { require(block.timestamp > until, "not over"); token.safeTransfer(sponsor, token.balanceOf(address(this))); }
}
