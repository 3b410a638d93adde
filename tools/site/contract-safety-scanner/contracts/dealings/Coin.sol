// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Coin { string public name; string public symbol; uint8 public constant decimals=18; uint256 public totalSupply; mapping(address=>uint256) public balanceOf; mapping(address=>mapping(address=>uint256)) public allowance; event Transfer(address indexed a,address indexed b,uint256 v); event Approval(address indexed a,address indexed b,uint256 v);
constructor(string memory n,uint256 s){name=n;symbol=n;totalSupply=s;balanceOf[msg.sender]=s;emit Transfer(address(0),msg.sender,s);}
function approve(address s,uint256 v) external returns(bool){allowance[msg.sender][s]=v;emit Approval(msg.sender,s,v);return true;}
function transfer(address t,uint256 v) external returns(bool){balanceOf[msg.sender]-=v;balanceOf[t]+=v;emit Transfer(msg.sender,t,v);return true;}
function transferFrom(address f,address t,uint256 v) external returns(bool){uint256 a=allowance[f][msg.sender];if(a!=type(uint256).max)allowance[f][msg.sender]=a-v;balanceOf[f]-=v;balanceOf[t]+=v;emit Transfer(f,t,v);return true;} }
