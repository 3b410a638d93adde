// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface IERC { function transfer(address,uint256) external returns(bool); function transferFrom(address,address,uint256) external returns(bool); function balanceOf(address) external view returns(uint256); }
contract GuildChest {
 mapping(address=>uint256) public shares; uint256 public total; address[2] public kinds;
 constructor(address a,address b){kinds[0]=a;kinds[1]=b;}
 function join(uint256 s) external { require(s>0); IERC(kinds[0]).transferFrom(msg.sender,address(this),s); IERC(kinds[1]).transferFrom(msg.sender,address(this),s); shares[msg.sender]+=s; total+=s; }
 function quit(address[] calldata coins) external { uint256 s=shares[msg.sender]; uint256 t=total; require(s>0); shares[msg.sender]=0; total=t-s; address last; for(uint256 i;i<coins.length;i++){ require(coins[i]>last,"order"); last=coins[i]; uint256 b=IERC(coins[i]).balanceOf(address(this)); IERC(coins[i]).transfer(msg.sender,b*s/t); } }
}
