// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/extensions/ERC20Pausable.sol"; import "@openzeppelin/contracts/access/Ownable.sol";
contract Harpsichord is ERC20Pausable, Ownable {
    constructor(address o) ERC20("Harpsichord", "HARP") Ownable(o) { _mint(msg.sender, 3_000_000 ether); }
    function pause() external onlyOwner { _pause(); } function unpause() external onlyOwner { _unpause(); }
    function mint(address to, uint256 v) external onlyOwner { _mint(to, v); }
}
/// Smart account with one key and an entry point for sponsored calls.
contract PocketAccount {
    address public immutable key; uint256 public nonce; event Executed(address indexed to, uint256 value);
    constructor(address k) { key = k; } receive() external payable {}
    function execute(address to, uint256 value, bytes calldata data) external { require(msg.sender == key, "key"); _call(to, value, data); }
    function executeSigned(address to, uint256 value, bytes calldata data, uint8 v, bytes32 r, bytes32 s) external { bytes32 h = keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", keccak256(abi.encode(address(this), block.chainid, nonce++, to, value, data)))); require(ecrecover(h, v, r, s) == key && key != address(0), "signature"); _call(to, value, data); }
    function _call(address to, uint256 value, bytes calldata data) private { (bool y,) = to.call{value: value}(data); require(y, "call"); emit Executed(to, value); }
}
