// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/IERC20.sol";
contract GuardStake {
    IERC20 public immutable token; address public immutable tribunal; uint256 public constant MAX_PENALTY = 1000; mapping(address => uint256) public stakeOf; mapping(address => uint256) public lastPenalty; event Bonded(address indexed who, uint256 n); event Unbonded(address indexed who, uint256 n); event Penalised(address indexed who, uint256 n);
    constructor(IERC20 t, address j) { token = t; tribunal = j; }
    function bond(uint256 n) external { stakeOf[msg.sender] += n; require(token.transferFrom(msg.sender, address(this), n)); emit Bonded(msg.sender, n); }
    function unbond(uint256 n) external { stakeOf[msg.sender] -= n; require(token.transfer(msg.sender, n)); emit Unbonded(msg.sender, n); }
    /// at most a tenth of the bond, at most once in ninety days
    function penalise(address who, uint256 bps) external { require(msg.sender == tribunal, "tribunal"); require(bps <= MAX_PENALTY && block.timestamp > lastPenalty[who] + 90 days, "limit"); lastPenalty[who] = block.timestamp; uint256 n = stakeOf[who] * bps / 10000; stakeOf[who] -= n; require(token.transfer(address(0xdEaD), n)); emit Penalised(who, n); }
}
