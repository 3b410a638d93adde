// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol"; import "@openzeppelin/contracts/access/Ownable2Step.sol";
contract DockVault is ERC4626, Ownable2Step {
    bool public exitsClosed; event Exits(bool closed);
    constructor(IERC20 a, address o) ERC20("Dock Share", "dTIN") ERC4626(a) Ownable(o) {}
    function closeExits(bool y) external onlyOwner { exitsClosed = y; emit Exits(y); }
    function _withdraw(address c, address r, address o, uint256 a, uint256 s) internal override { require(!exitsClosed, "exits closed"); super._withdraw(c, r, o, a, s); }
}
