// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol"; import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
interface IStrategy { function withdraw(uint256) external; function balance() external view returns (uint256); }
contract YieldMill is ERC20, Ownable {
    IERC20 public immutable token; address public strategy;
    constructor(IERC20 t) ERC20("Milled Oat", "mOAT") Ownable(msg.sender) { token = t; }
    function balance() public view returns (uint256) { return token.balanceOf(address(this)) + (strategy == address(0) ? 0 : IStrategy(strategy).balance()); }
    function deposit(uint256 v) external { uint256 p = balance(); uint256 s = totalSupply() == 0 ? v : v * totalSupply() / p; token.transferFrom(msg.sender, address(this), v); _mint(msg.sender, s); }
    function withdraw(uint256 s) external { uint256 r = balance() * s / totalSupply(); _burn(msg.sender, s); uint256 b = token.balanceOf(address(this)); if (b < r) IStrategy(strategy).withdraw(r - b); token.transfer(msg.sender, r); }
    function setStrategy(address s) external onlyOwner { strategy = s; }
    function earn() external { token.transfer(strategy, token.balanceOf(address(this))); }
}
