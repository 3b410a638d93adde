// SPDX-License-Identifier: MIT
pragma solidity ^0.8.27;

import {VestingWallet} from "@openzeppelin/contracts/finance/VestingWallet.sol";

/// Sets its tokens free in equal parts over a time, to one beneficiary: a treasury, a timelock or a vault.
/// Anyone may call release.
contract AgentVesting is VestingWallet {
    constructor(address beneficiary, uint64 start_, uint64 duration_) VestingWallet(beneficiary, start_, duration_) {}
}
