// SPDX-License-Identifier: LGPL-3.0-only
pragma solidity ^0.8.20;
/// Safe-like: n-of-m, approvals on chain, same view names as Safe.
contract TeamSafe {
    string public constant VERSION = "1.4.1";
    address[] private _owners; uint256 private _threshold; uint256 public nonce;
    mapping(address => bool) public isOwner;
    mapping(address => mapping(bytes32 => uint256)) public approvedHashes;
    event ExecutionSuccess(bytes32 indexed txHash, uint256 payment);
    event ApproveHash(bytes32 indexed approvedHash, address indexed owner);
    constructor(address[] memory o, uint256 t) {
        require(t > 0 && t <= o.length);
        for (uint256 i; i < o.length; i++) { require(!isOwner[o[i]] && o[i] != address(0)); isOwner[o[i]] = true; }
        _owners = o; _threshold = t;
    }
    receive() external payable {}
    function getOwners() external view returns (address[] memory) { return _owners; }
    function getThreshold() external view returns (uint256) { return _threshold; }
    function getTransactionHash(address to, uint256 value, bytes calldata data, uint8 op, uint256 n) public view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), to, value, keccak256(data), op, n));
    }
    function approveHash(bytes32 h) external { require(isOwner[msg.sender], "GS030"); approvedHashes[msg.sender][h] = 1; emit ApproveHash(h, msg.sender); }
    function execTransaction(address to, uint256 value, bytes calldata data, uint8 op) external payable returns (bool ok) {
        bytes32 h = getTransactionHash(to, value, data, op, nonce++);
        uint256 n;
        for (uint256 i; i < _owners.length; i++) if (_owners[i] == msg.sender || approvedHashes[_owners[i]][h] == 1) n++;
        require(isOwner[msg.sender] && n >= _threshold, "GS020");
        if (op == 1) { bytes memory d = data; (ok, ) = to.delegatecall(d); } else (ok, ) = to.call{value: value}(data);
        require(ok, "GS013");
        emit ExecutionSuccess(h, 0);
    }
}
