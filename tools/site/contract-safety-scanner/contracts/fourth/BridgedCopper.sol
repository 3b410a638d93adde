// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract BridgedCopper is ERC20 {
    address public bridge; event BridgeChanged(address indexed a, address indexed b); event Returned(address indexed who, bytes32 indexed home, uint256 n);
    constructor(address b) ERC20("Bridged Copper", "bCU") { bridge = b; _mint(b, 4_000_000 ether); }
    modifier onlyBridge() { require(msg.sender == bridge, "bridge"); _; }
    function bridgeIn(address to, uint256 n) external onlyBridge { _mint(to, n); }
    function bridgeOut(bytes32 home, uint256 n) external { _burn(msg.sender, n); emit Returned(msg.sender, home, n); }
    function setBridge(address b) external onlyBridge { emit BridgeChanged(bridge, b); bridge = b; }
}
