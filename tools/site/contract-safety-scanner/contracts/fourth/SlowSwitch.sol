// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
/// Proxy whose next code must be announced ten days ahead.
contract SlowSwitch {
    bytes32 private constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc; bytes32 private constant PLAN = keccak256("slow.switch.plan"); uint256 public constant NOTICE = 10 days; address public immutable switchman;
    struct Plan { address code; uint64 from; } event Announced(address indexed code, uint256 from); event Upgraded(address indexed implementation); event CalledOff();
    constructor(address i) { switchman = msg.sender; assembly { sstore(SLOT, i) } emit Upgraded(i); }
    function _plan() private pure returns (Plan storage p) { bytes32 s = PLAN; assembly { p.slot := s } }
    function announcedCode() external view returns (address, uint256) { return (_plan().code, _plan().from); }
    function announceUpgrade(address c) external { require(msg.sender == switchman && c.code.length > 0, "announce"); Plan storage p = _plan(); p.code = c; p.from = uint64(block.timestamp + NOTICE); emit Announced(c, p.from); }
    function callOffUpgrade() external { require(msg.sender == switchman, "switchman"); _plan().code = address(0); emit CalledOff(); }
    function performUpgrade() external { Plan storage p = _plan(); address c = p.code; require(msg.sender == switchman && c != address(0) && block.timestamp >= p.from, "not yet"); p.code = address(0); assembly { sstore(SLOT, c) } emit Upgraded(c); }
    receive() external payable {}
    fallback() external payable { address i; assembly { i := sload(SLOT) calldatacopy(0, 0, calldatasize()) let s := delegatecall(gas(), i, 0, calldatasize(), 0, 0) returndatacopy(0, 0, returndatasize()) if iszero(s) { revert(0, returndatasize()) } return(0, returndatasize()) } }
}
