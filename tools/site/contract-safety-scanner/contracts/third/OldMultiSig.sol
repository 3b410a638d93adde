// SPDX-License-Identifier: LGPL-3.0
pragma solidity ^0.8.0;
/// In the manner of the classic multi-signature wallet: required() of owners(i).
contract OldMultiSig {
    struct Transaction { address destination; uint value; bytes data; bool executed; }
    mapping(uint => Transaction) public transactions; mapping(uint => mapping(address => bool)) public confirmations; mapping(address => bool) public isOwner;
    address[] public owners; uint public required; uint public transactionCount;
    event Confirmation(address indexed sender, uint indexed transactionId); event Submission(uint indexed transactionId); event Execution(uint indexed transactionId);
    modifier onlyWallet() { require(msg.sender == address(this)); _; }
    constructor(address[] memory _owners, uint _required) { for (uint i = 0; i < _owners.length; i++) isOwner[_owners[i]] = true; owners = _owners; required = _required; }
    receive() external payable {}
    function changeRequirement(uint _required) external onlyWallet { require(_required > 0 && _required <= owners.length); required = _required; }
    function submitTransaction(address destination, uint value, bytes calldata data_) external returns (uint transactionId) { require(isOwner[msg.sender]); transactionId = transactionCount++; transactions[transactionId] = Transaction(destination, value, data_, false); emit Submission(transactionId); confirmTransaction(transactionId); }
    function confirmTransaction(uint transactionId) public { require(isOwner[msg.sender] && transactions[transactionId].destination != address(0) && !confirmations[transactionId][msg.sender]); confirmations[transactionId][msg.sender] = true; emit Confirmation(msg.sender, transactionId); if (isConfirmed(transactionId) && !transactions[transactionId].executed) { Transaction storage t = transactions[transactionId]; t.executed = true; (bool ok,) = t.destination.call{value: t.value}(t.data); require(ok); emit Execution(transactionId); } }
    function isConfirmed(uint id) public view returns (bool) { uint n; for (uint i; i < owners.length; i++) if (confirmations[id][owners[i]]) n++; return n >= required; }
    function getOwners() external view returns (address[] memory) { return owners; }
}
