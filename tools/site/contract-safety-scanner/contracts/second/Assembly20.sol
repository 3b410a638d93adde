// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
/// solady-style: balances in assembly, but fixed supply and no owner
contract Whetstone {
    error InsufficientBalance(); error InsufficientAllowance();
    event Transfer(address indexed from, address indexed to, uint256 amount); event Approval(address indexed owner, address indexed spender, uint256 amount);
    uint256 private constant SEED = 0x87a211a2; uint256 private constant ASEED = 0x7f5e9f20;
    bytes32 private constant TOPIC = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef;
    uint256 public constant totalSupply = 600_000_000e18;
    constructor() { assembly { mstore(0x0c, SEED) mstore(0x00, caller()) sstore(keccak256(0x0c, 0x20), 600000000000000000000000000) } emit Transfer(address(0), msg.sender, totalSupply); }
    function name() external pure returns (string memory) { return "Whetstone"; }
    function symbol() external pure returns (string memory) { return "WHET"; }
    function decimals() external pure returns (uint8) { return 18; }
    function balanceOf(address o) public view returns (uint256 r) { assembly { mstore(0x0c, SEED) mstore(0x00, o) r := sload(keccak256(0x0c, 0x20)) } }
    function allowance(address o, address s) public view returns (uint256 r) { assembly { mstore(0x20, s) mstore(0x0c, ASEED) mstore(0x00, o) r := sload(keccak256(0x0c, 0x34)) } }
    function approve(address s, uint256 a) public returns (bool) { assembly { mstore(0x20, s) mstore(0x0c, ASEED) mstore(0x00, caller()) sstore(keccak256(0x0c, 0x34), a) } emit Approval(msg.sender, s, a); return true; }
    function transfer(address to, uint256 a) public returns (bool) { _move(msg.sender, to, a); return true; }
    function transferFrom(address f, address to, uint256 a) public returns (bool) {
        assembly {
            mstore(0x20, caller()) mstore(0x0c, ASEED) mstore(0x00, f)
            let k := keccak256(0x0c, 0x34) let w := sload(k)
            if not(w) { if gt(a, w) { mstore(0x00, 0x13be252b) revert(0x1c, 0x04) } sstore(k, sub(w, a)) }
        }
        _move(f, to, a); return true;
    }
    function _move(address f, address to, uint256 a) private {
        assembly {
            mstore(0x0c, SEED) mstore(0x00, f)
            let k := keccak256(0x0c, 0x20) let b := sload(k)
            if gt(a, b) { mstore(0x00, 0xf4d678b8) revert(0x1c, 0x04) }
            sstore(k, sub(b, a)) mstore(0x0c, SEED) mstore(0x00, to)
            let q := keccak256(0x0c, 0x20) sstore(q, add(sload(q), a))
            mstore(0x20, a) log3(0x20, 0x20, TOPIC, shr(96, shl(96, f)), shr(96, shl(96, to)))
        }
    }
}
