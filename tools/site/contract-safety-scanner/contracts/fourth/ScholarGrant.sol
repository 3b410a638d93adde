// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/IERC20.sol";
contract ScholarGrant {
    struct Grant { uint128 total; uint128 taken; uint64 start; uint64 span; } IERC20 public immutable token; address public immutable foundation; mapping(address => Grant) public grants; event Granted(address indexed who, uint256 n); event Revoked(address indexed who, uint256 back);
    constructor(IERC20 t) { token = t; foundation = msg.sender; }
    function grant(address who, uint128 n, uint64 span) external { require(msg.sender == foundation && grants[who].total == 0 && span > 0, "grant"); grants[who] = Grant(n, 0, uint64(block.timestamp), span); require(token.transferFrom(msg.sender, address(this), n)); emit Granted(who, n); }
    function vested(address who) public view returns (uint256) { Grant memory g = grants[who]; if (g.total == 0) return 0; uint256 t = block.timestamp - g.start; return t >= g.span ? g.total : uint256(g.total) * t / g.span; }
    function fetch() external { Grant storage g = grants[msg.sender]; uint256 n = vested(msg.sender) - g.taken; g.taken += uint128(n); require(token.transfer(msg.sender, n)); }
    function revoke(address who) external { require(msg.sender == foundation, "foundation"); Grant storage g = grants[who]; uint256 v = vested(who); uint256 back = g.total - v; g.total = uint128(v); g.span = 1; require(token.transfer(foundation, back)); emit Revoked(who, back); }
}
