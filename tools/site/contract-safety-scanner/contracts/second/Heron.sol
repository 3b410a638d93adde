// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import "@openzeppelin/contracts/access/Ownable.sol";
contract HeronToken is ERC20, Ownable {
    uint256 public maxWallet; address public immutable market; bool public limitsOff; bool public live;
    constructor(address m) ERC20("Heron", "HRN") Ownable(msg.sender) { market = m; _mint(msg.sender, 1e8 ether); maxWallet = totalSupply() / 50; }
    function setMaxWallet(uint256 v) external onlyOwner { require(v >= totalSupply() / 100, "min 1%"); maxWallet = v; }
    function removeLimits() external onlyOwner { limitsOff = true; }
    function enableTrading() external onlyOwner { live = true; } // one way
    function _update(address f, address t, uint256 v) internal override {
        if (f != address(0) && f != owner() && t != owner()) {
            require(live, "not live");
            if (!limitsOff && t != market) require(balanceOf(t) + v <= maxWallet, "max wallet");
        }
        super._update(f, t, v);
    }
}
