// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface IERC { function transfer(address,uint256) external returns(bool); function transferFrom(address,address,uint256) external returns(bool); function balanceOf(address) external view returns(uint256); }
contract MillStake {
 IERC public immutable coin; IERC public immutable gain; uint256 public total; uint256 public index; mapping(address=>uint256) public stakeOf; mapping(address=>uint256) public seen; mapping(address=>uint256) public due;
 constructor(address a,address b){coin=IERC(a);gain=IERC(b);}
 function settle(address who) internal { due[who]+=stakeOf[who]*(index-seen[who])/1e18; seen[who]=index; }
 function bring(uint256 sum) external { require(total>0); gain.transferFrom(msg.sender,address(this),sum); index+=sum*1e18/total; }
 function enter(uint256 sum) external { settle(msg.sender); stakeOf[msg.sender]+=sum; total+=sum; coin.transferFrom(msg.sender,address(this),sum); }
 function leave(uint256 sum) external { settle(msg.sender); stakeOf[msg.sender]-=sum; total-=sum; coin.transfer(msg.sender,sum); }
 function pass(address to,uint256 sum) external { settle(msg.sender); settle(to); stakeOf[msg.sender]-=sum; stakeOf[to]+=sum; }
 function harvest() external { settle(msg.sender); uint256 sum=due[msg.sender]; due[msg.sender]=0; gain.transfer(msg.sender,sum); }
}
