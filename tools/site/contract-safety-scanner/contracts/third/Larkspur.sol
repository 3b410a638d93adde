// SPDX-License-Identifier: Unlicensed
pragma solidity ^0.8.4;
contract LOwnable {
    address private _owner; address private _previousOwner; uint256 private _lockTime;
    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);
    constructor() { _owner = msg.sender; emit OwnershipTransferred(address(0), msg.sender); }
    modifier onlyOwner() { require(_owner == msg.sender, "Ownable: caller is not the owner"); _; }
    function owner() public view returns (address) { return _owner; }
    function renounceOwnership() public virtual onlyOwner { emit OwnershipTransferred(_owner, address(0)); _owner = address(0); }
    function lock(uint256 time) public virtual onlyOwner { _previousOwner = _owner; _owner = address(0); _lockTime = block.timestamp + time; emit OwnershipTransferred(_previousOwner, address(0)); }
    function unlock() public virtual { require(_previousOwner == msg.sender, "You don't have permission to unlock"); require(block.timestamp >= _lockTime, "Contract is locked"); emit OwnershipTransferred(_owner, _previousOwner); _owner = _previousOwner; }
}
contract Larkspur is LOwnable {
    string public name = "Larkspur"; string public symbol = "LARK"; uint8 public decimals = 18; uint256 public totalSupply = 777_777_777 ether;
    mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance; mapping(address => bool) private _isSniper;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
    constructor() { balanceOf[msg.sender] = totalSupply; emit Transfer(address(0), msg.sender, totalSupply); }
    function setSnipers(address[] calldata list, bool on) external onlyOwner { for (uint256 i = 0; i < list.length; i++) _isSniper[list[i]] = on; }
    function approve(address spender, uint256 amount) external returns (bool) { allowance[msg.sender][spender] = amount; emit Approval(msg.sender, spender, amount); return true; }
    function transfer(address to, uint256 amount) external returns (bool) { _transfer(msg.sender, to, amount); return true; }
    function transferFrom(address from, address to, uint256 amount) external returns (bool) { allowance[from][msg.sender] -= amount; _transfer(from, to, amount); return true; }
    function _transfer(address from, address to, uint256 amount) private { require(!_isSniper[from] && !_isSniper[to], "sniper"); balanceOf[from] -= amount; balanceOf[to] += amount; emit Transfer(from, to, amount); }
}
