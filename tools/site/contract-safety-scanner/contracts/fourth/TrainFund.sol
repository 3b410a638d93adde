// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract TrainFund {
    mapping(address => uint256) public shareOf; uint256 public whole; event Joined(address indexed who, uint256 n); event Parted(address indexed who, uint256 n);
    function join() external payable { shareOf[msg.sender] += msg.value; whole += msg.value; emit Joined(msg.sender, msg.value); }
    function part(uint256 n) external { shareOf[msg.sender] -= n; whole -= n; emit Parted(msg.sender, n); (bool s,) = msg.sender.call{value: n}(""); require(s, "pay"); }
}
contract TrainFundTwo { function wagons() external pure returns (uint256) { return 2; } }
