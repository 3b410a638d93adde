// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

interface IToken {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// The allowances of Permit2, with its events and its figures; signatures are left out.
contract Permit2 {
    struct Allowance {
        uint160 amount;
        uint48 expiration;
        uint48 nonce;
    }

    struct TokenSpenderPair {
        address token;
        address spender;
    }

    mapping(address owner => mapping(address token => mapping(address spender => Allowance))) public allowance;

    event Approval(
        address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration
    );
    event Lockdown(address indexed owner, address token, address spender);

    error AllowanceExpired(uint256 deadline);
    error InsufficientAllowance(uint256 amount);

    function approve(address token, address spender, uint160 amount, uint48 expiration) external {
        Allowance storage kept = allowance[msg.sender][token][spender];
        kept.amount = amount;
        kept.expiration = expiration == 0 ? uint48(block.timestamp) : expiration;
        emit Approval(msg.sender, token, spender, amount, expiration);
    }

    function lockdown(TokenSpenderPair[] calldata pairs) external {
        for (uint256 i = 0; i < pairs.length; ++i) {
            allowance[msg.sender][pairs[i].token][pairs[i].spender].amount = 0;
            emit Lockdown(msg.sender, pairs[i].token, pairs[i].spender);
        }
    }

    function transferFrom(address from, address to, uint160 amount, address token) external {
        Allowance storage kept = allowance[from][token][msg.sender];
        if (block.timestamp > kept.expiration) revert AllowanceExpired(kept.expiration);
        if (kept.amount != type(uint160).max) {
            if (amount > kept.amount) revert InsufficientAllowance(kept.amount);
            kept.amount -= amount;
        }
        require(IToken(token).transferFrom(from, to, amount), "TRANSFER_FROM_FAILED");
    }
}
