// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract PaperCards {
 struct Card { address owner; uint256 worth; } mapping(uint256=>Card) public cards; uint256 public last;
 function issue() external payable returns(uint256){ require(msg.value>0); cards[++last]=Card(msg.sender,msg.value); return last; }
 function merge(uint256 a,uint256 b) external { require(cards[a].owner==msg.sender&&cards[b].owner==msg.sender,"own"); uint256 w=cards[a].worth+cards[b].worth; cards[b].worth=0; cards[a].worth=w; }
 function split(uint256 a,uint256 part) external { require(cards[a].owner==msg.sender,"own"); cards[a].worth-=part; cards[++last]=Card(msg.sender,part); }
 function hand(uint256 a,address to) external { require(cards[a].owner==msg.sender,"own"); cards[a].owner=to; }
 function cash(uint256 a) external { require(cards[a].owner==msg.sender,"own"); uint256 w=cards[a].worth; cards[a].worth=0; (bool ok,)=msg.sender.call{value:w}(""); require(ok); }
}
