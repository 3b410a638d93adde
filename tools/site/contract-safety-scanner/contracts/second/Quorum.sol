// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract QuorumWallet {
    struct Tx { address to; uint256 value; bytes data; bool done; uint256 yes; }
    address[] public owners; mapping(address => bool) public isOwner; uint256 public immutable required; Tx[] public txs; mapping(uint256 => mapping(address => bool)) public confirmed;
    event Submitted(uint256 indexed id); event Executed(uint256 indexed id);
    modifier member() { require(isOwner[msg.sender], "not owner"); _; }
    constructor(address[] memory o, uint256 r) payable { require(r > 1 && r <= o.length); for (uint256 i; i < o.length; i++) { require(!isOwner[o[i]]); isOwner[o[i]] = true; } owners = o; required = r; }
    receive() external payable {}
    function getOwners() external view returns (address[] memory) { return owners; }
    function submit(address to, uint256 value, bytes calldata data) external member returns (uint256 id) { id = txs.length; txs.push(Tx(to, value, data, false, 0)); emit Submitted(id); }
    function confirm(uint256 id) external member { require(!confirmed[id][msg.sender]); confirmed[id][msg.sender] = true; txs[id].yes++; }
    function execute(uint256 id) external member { Tx storage t = txs[id]; require(!t.done && t.yes >= required); t.done = true; (bool ok, ) = t.to.call{value: t.value}(t.data); require(ok); emit Executed(id); }
}
