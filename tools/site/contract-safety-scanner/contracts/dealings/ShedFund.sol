// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract ShedFund {
 struct Aim { address maker; uint256 goal; uint64 until; uint256 got; bool done; }
 Aim[] public aims; mapping(uint256=>mapping(address=>uint256)) public given;
 function plan(uint256 goal,uint64 span) external { require(goal>0&&span>=1 hours&&span<=60 days); aims.push(Aim(msg.sender,goal,uint64(block.timestamp)+span,0,false)); }
 function give(uint256 id) external payable { Aim storage a=aims[id]; require(block.timestamp<a.until); a.got+=msg.value; given[id][msg.sender]+=msg.value; }
 function finish(uint256 id) external { Aim storage a=aims[id]; require(msg.sender==a.maker&&block.timestamp>=a.until&&a.got>=a.goal); a.done=true; (bool ok,)=a.maker.call{value:a.got}(""); require(ok); }
 function takeBack(uint256 id) external { Aim storage a=aims[id]; require(block.timestamp>=a.until,"open"); require(a.got<a.goal,"reached"); uint256 s=given[id][msg.sender]; given[id][msg.sender]=0; (bool ok,)=msg.sender.call{value:s}(""); require(ok); }
}
