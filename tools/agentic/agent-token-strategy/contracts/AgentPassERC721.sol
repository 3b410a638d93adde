// SPDX-License-Identifier: MIT
pragma solidity ^0.8.27;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// An access pass without an owner: whoever holds enough of the token mints the one pass of their
/// address. The pass stays in the wallet, and opens doors only while the wallet still holds enough.
contract AgentPassERC721 is ERC721 {
    IERC20 public immutable token;
    uint256 public immutable minimumBalance;

    error BalanceTooLow(address account, uint256 balance);

    constructor(IERC20 token_, uint256 minimumBalance_) ERC721("Agent Pass", "PASS") {
        token = token_;
        minimumBalance = minimumBalance_;
    }

    function mint() external returns (uint256 tokenId) {
        uint256 balance = token.balanceOf(msg.sender);
        if (balance < minimumBalance) revert BalanceTooLow(msg.sender, balance);
        tokenId = uint256(uint160(msg.sender));
        _mint(msg.sender, tokenId);
    }

    function hasAccess(address account) external view returns (bool) {
        return balanceOf(account) > 0 && token.balanceOf(account) >= minimumBalance;
    }
}
