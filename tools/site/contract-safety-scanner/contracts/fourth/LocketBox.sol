// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract LocketBox {
    mapping(address => uint256) public kept; event Kept(address indexed who, uint256 n); event Opened(address indexed who, uint256 n);
    function keep() external payable { kept[msg.sender] += msg.value; emit Kept(msg.sender, msg.value); }
    function open(uint256 n) external { require(kept[msg.sender] >= n, "not so much"); kept[msg.sender] -= n; emit Opened(msg.sender, n); (bool s,) = payable(msg.sender).call{value: n}(""); require(s, "pay"); }
}
contract LocketBoxTwo { function lid() external pure returns (uint256) { return 2; } }
