// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity ^0.8.20;
/// Wrapped Ether written close to the machine: balances at keccak(owner . seed), allowances at keccak(owner . seed . spender).
contract TinyWrap {
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
    uint256 private constant SEED = 0x7b1f0c2a; bytes32 private constant T = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef; bytes32 private constant A = 0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925;
    function name() external pure returns (string memory) { return "Tiny Wrapped Ether"; } function symbol() external pure returns (string memory) { return "tWETH"; } function decimals() external pure returns (uint8) { return 18; } function totalSupply() external view returns (uint256) { return address(this).balance; }
    receive() external payable { deposit(); }
    function balanceOf(address o) external view returns (uint256 r) { assembly { mstore(12, SEED) mstore(0, o) r := sload(keccak256(0, 44)) } }
    function allowance(address o, address s) external view returns (uint256 r) { assembly { mstore(32, SEED) mstore(0, o) mstore(64, s) let m := mload(64) r := sload(keccak256(0, 96)) mstore(64, 0x80) } }
    function approve(address s, uint256 v) external returns (bool) { assembly { mstore(32, SEED) mstore(0, caller()) mstore(64, s) sstore(keccak256(0, 96), v) mstore(0, v) log3(0, 32, A, caller(), s) mstore(64, 0x80) } return true; }
    function deposit() public payable { assembly { mstore(12, SEED) mstore(0, caller()) let k := keccak256(0, 44) sstore(k, add(sload(k), callvalue())) mstore(0, callvalue()) log3(0, 32, T, 0, caller()) } }
    function withdraw(uint256 v) external { assembly { mstore(12, SEED) mstore(0, caller()) let k := keccak256(0, 44) let b := sload(k) if lt(b, v) { revert(0, 0) } sstore(k, sub(b, v)) mstore(0, v) log3(0, 32, T, caller(), 0) if iszero(call(gas(), caller(), v, 0, 0, 0, 0)) { revert(0, 0) } } }
    function transfer(address t, uint256 v) external returns (bool) { _mv(msg.sender, t, v); return true; }
    function transferFrom(address f, address t, uint256 v) external returns (bool) { assembly { mstore(32, SEED) mstore(0, f) mstore(64, caller()) let k := keccak256(0, 96) let a := sload(k) if not(a) { if lt(a, v) { revert(0, 0) } sstore(k, sub(a, v)) } mstore(64, 0x80) } _mv(f, t, v); return true; }
    function _mv(address f, address t, uint256 v) private { assembly { mstore(12, SEED) mstore(0, f) let k := keccak256(0, 44) let b := sload(k) if lt(b, v) { revert(0, 0) } sstore(k, sub(b, v)) mstore(12, SEED) mstore(0, t) k := keccak256(0, 44) sstore(k, add(sload(k), v)) mstore(0, v) log3(0, 32, T, f, t) } }
}
