// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/extensions/ERC20Wrapper.sol"; import "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol"; import "@openzeppelin/contracts/token/ERC20/extensions/ERC20Votes.sol";
contract TinWrapper is ERC20Wrapper, ERC20Votes, ERC20Permit {
    constructor(IERC20 u) ERC20("Wrapped Tin", "wTIN") ERC20Permit("Wrapped Tin") ERC20Wrapper(u) {}
    function decimals() public view override(ERC20, ERC20Wrapper) returns (uint8) { return super.decimals(); }
    function _update(address f, address to, uint256 v) internal override(ERC20, ERC20Votes) { super._update(f, to, v); }
    function nonces(address o) public view override(ERC20Permit, Nonces) returns (uint256) { return super.nonces(o); }
}
