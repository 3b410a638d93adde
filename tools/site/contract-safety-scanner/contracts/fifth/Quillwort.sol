// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Quillwort is ERC20 {
    address public minter; event MinterChanged(address indexed from, address indexed to);
    modifier onlyMinter() { require(msg.sender == minter, "minter"); _; }
    constructor(address m) ERC20("Quillwort", "QLW") { minter = m; _mint(msg.sender, 10_000_000 ether); }
    function setMinter(address m) external { emit MinterChanged(minter, m); minter = m; }
    function mint(address to, uint256 v) external onlyMinter { _mint(to, v); }
}
