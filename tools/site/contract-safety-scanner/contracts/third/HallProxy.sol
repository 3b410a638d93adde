// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract HallProxy {
    address private proxyAdmin;
    bytes32 private constant IMPL = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    constructor(address logic, address admin_, bytes memory data) { proxyAdmin = admin_; assembly { sstore(IMPL, logic) } if (data.length > 0) { (bool ok,) = logic.delegatecall(data); require(ok); } }
    function upgradeTo(address logic) external { require(msg.sender == proxyAdmin); assembly { sstore(IMPL, logic) } }
    fallback() external payable { assembly { let l := sload(IMPL) calldatacopy(0, 0, calldatasize()) let ok := delegatecall(gas(), l, 0, calldatasize(), 0, 0) returndatacopy(0, 0, returndatasize()) switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) } } }
    receive() external payable {}
}
