// SPDX-License-Identifier: LGPL-3.0
pragma solidity ^0.8.20;
/// M-of-N council with on-chain confirmations.
contract CouncilSafe {
    string public constant VERSION = "1.4.1-c";
    address[] private _owners; uint256 private _threshold; uint256 public nonce;
    mapping(address => bool) public isOwner;
    struct Tx { address to; uint256 value; bytes data; uint256 yes; bool done; }
    mapping(uint256 => Tx) public txs; mapping(uint256 => mapping(address => bool)) public confirmed;
    event Submitted(uint256 id); event Confirmed(uint256 id, address by); event Executed(uint256 id);
    constructor(address[] memory o, uint256 t) { require(t > 0 && t <= o.length); for (uint256 i; i < o.length; i++) { require(o[i] != address(0) && !isOwner[o[i]]); isOwner[o[i]] = true; _owners.push(o[i]); } _threshold = t; }
    receive() external payable {}
    modifier owners() { require(isOwner[msg.sender], "owner"); _; }
    function getOwners() external view returns (address[] memory) { return _owners; }
    function getThreshold() external view returns (uint256) { return _threshold; }
    function submit(address to, uint256 value, bytes calldata data) external owners returns (uint256 id) { id = nonce++; Tx storage t = txs[id]; t.to = to; t.value = value; t.data = data; emit Submitted(id); _confirm(id); }
    function confirm(uint256 id) external owners { require(id < nonce); _confirm(id); }
    function _confirm(uint256 id) private { require(!confirmed[id][msg.sender], "again"); confirmed[id][msg.sender] = true; txs[id].yes++; emit Confirmed(id, msg.sender); }
    function execute(uint256 id) external owners { Tx storage t = txs[id]; require(!t.done && t.yes >= _threshold, "threshold"); t.done = true; (bool ok,) = t.to.call{value: t.value}(t.data); require(ok, "call"); emit Executed(id); }
}
