// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
contract FerrisStake {
    using SafeERC20 for IERC20; IERC20 public immutable token; mapping(address => uint256) public staked; uint256 public total; event Staked(address indexed who, uint256 n); event Left(address indexed who, uint256 n);
    constructor(IERC20 t) { token = t; }
    function ride(uint256 n) external { staked[msg.sender] += n; total += n; token.safeTransferFrom(msg.sender, address(this), n); emit Staked(msg.sender, n); }
    function getOff(uint256 n) external { staked[msg.sender] -= n; total -= n; token.safeTransfer(msg.sender, n); emit Left(msg.sender, n); }
}
contract FerrisStakeNext { function stopped() external pure returns (bool) { return true; } }
