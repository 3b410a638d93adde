// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {TransparentUpgradeableProxy} from "@openzeppelin/contracts/proxy/transparent/TransparentUpgradeableProxy.sol";
contract MillProxy is TransparentUpgradeableProxy { constructor(address l, address o, bytes memory d) payable TransparentUpgradeableProxy(l, o, d) {} }
interface IMR { function transfer(address, uint256) external returns (bool); function transferFrom(address, address, uint256) external returns (bool); }
contract Millrace {
    IMR public token; mapping(address => uint256) public stakeOf; uint256 public total;
    function setUp(IMR t) external { require(address(token) == address(0) && address(t) != address(0), "done"); token = t; }
    function stake(uint256 v) external { stakeOf[msg.sender] += v; total += v; require(token.transferFrom(msg.sender, address(this), v)); }
    function unstake(uint256 v) external { stakeOf[msg.sender] -= v; total -= v; require(token.transfer(msg.sender, v)); }
}
contract MillraceTwo { IMR public token; function version() external pure returns (uint256) { return 2; } }
