// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
/// Bridged dollars: the relay mints what was locked on the other chain.
contract FerriedUSD is ERC20 {
    address public vault; mapping(bytes32 => bool) public seen; event LogSwapin(bytes32 indexed txhash, address indexed account, uint256 amount); event LogSwapout(address indexed account, address indexed bindaddr, uint256 amount); event LogChangeVault(address indexed oldVault, address indexed newVault);
    constructor(address v) ERC20("Ferried USD", "fUSD") { vault = v; }
    function decimals() public pure override returns (uint8) { return 6; }
    function Swapin(bytes32 h, address to, uint256 v) external returns (bool) { require(msg.sender == vault, "vault"); require(!seen[h]); seen[h] = true; _mint(to, v); emit LogSwapin(h, to, v); return true; }
    function Swapout(uint256 v, address to) external returns (bool) { _burn(msg.sender, v); emit LogSwapout(msg.sender, to, v); return true; }
    function changeVault(address v) external { require(msg.sender == vault, "vault"); emit LogChangeVault(vault, v); vault = v; }
}
