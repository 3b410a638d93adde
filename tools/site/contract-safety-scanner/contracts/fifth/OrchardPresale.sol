// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
/// The coins on sale lie here from the start. Below the goal everybody gets the Ether back, above it the coins.
contract OrchardPresale {
    using SafeERC20 for IERC20; IERC20 public immutable coin; address payable public immutable team; uint256 public immutable end; uint256 public immutable goal; uint256 public constant RATE = 1000; uint256 public raised; uint256 public claimed; bool public paidOut; mapping(address => uint256) public paid; event Bought(address indexed who, uint256 n);
    constructor(address c, uint256 g, uint256 d) { coin = IERC20(c); team = payable(msg.sender); goal = g; end = block.timestamp + d; }
    function buy() external payable { require(block.timestamp < end, "over"); raised += msg.value; paid[msg.sender] += msg.value; require(raised * RATE <= coin.balanceOf(address(this)), "sold out"); emit Bought(msg.sender, msg.value); }
    function claim() external { require(block.timestamp >= end && raised >= goal, "not yet"); uint256 n = paid[msg.sender] * RATE; paid[msg.sender] = 0; claimed += n; coin.safeTransfer(msg.sender, n); }
    function refund() external { require(block.timestamp >= end && raised < goal, "no refund"); uint256 n = paid[msg.sender]; paid[msg.sender] = 0; (bool s,) = msg.sender.call{value: n}(""); require(s, "pay"); }
    function finish() external { require(block.timestamp >= end && !paidOut, "early"); paidOut = true; bool won = raised >= goal; uint256 owed = won ? raised * RATE - claimed : 0; coin.safeTransfer(team, coin.balanceOf(address(this)) - owed); if (won) { (bool s,) = team.call{value: address(this).balance}(""); require(s, "pay"); } }
}
