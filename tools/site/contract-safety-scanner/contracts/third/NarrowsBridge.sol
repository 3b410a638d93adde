// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface INB { function transfer(address, uint256) external returns (bool); function transferFrom(address, address, uint256) external returns (bool); }
/// Optimistic bridge: messages proven under a root that has been confirmed are paid out.
contract NarrowsBridge {
    INB public immutable token; address public immutable updater; bytes32 public committedRoot;
    mapping(bytes32 => uint256) public confirmAt; mapping(bytes32 => bytes32) public messages; uint256 public constant WINDOW = 30 minutes; uint256 public sent;
    bytes32 private constant DONE = bytes32(uint256(2));
    event Send(address indexed from, bytes32 to, uint256 amount, uint256 n);
    constructor(INB t, address u, bytes32 root) { token = t; updater = u; committedRoot = root; confirmAt[root] = 1; }
    function send(bytes32 to, uint256 amount) external { require(token.transferFrom(msg.sender, address(this), amount)); emit Send(msg.sender, to, amount, sent++); }
    function update(bytes32 root) external { require(msg.sender == updater); committedRoot = root; confirmAt[root] = block.timestamp + WINDOW; }
    function acceptableRoot(bytes32 r) public view returns (bool) { uint256 t = confirmAt[r]; return r != DONE && t != 0 && block.timestamp >= t; }
    function prove(bytes32 leaf, bytes32[] calldata path) external { bytes32 h = leaf; for (uint256 i; i < path.length; i++) h = h < path[i] ? keccak256(abi.encode(h, path[i])) : keccak256(abi.encode(path[i], h)); require(acceptableRoot(h), "root"); messages[leaf] = h; }
    function process(address to, uint256 amount, uint256 n) external { bytes32 m = keccak256(abi.encode(to, amount, n)); require(acceptableRoot(messages[m]), "not proven"); messages[m] = DONE; require(token.transfer(to, amount)); }
}
