// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
contract TillSplit {
    using SafeERC20 for IERC20; address public immutable cook; address public immutable waiter; address public immutable house; mapping(address => uint256) public owed; uint256 public allOwed; event Tip(address indexed from, uint256 n);
    constructor(address c, address w, address h) { cook = c; waiter = w; house = h; }
    receive() external payable { uint256 n = msg.value; uint256 a = n * 45 / 100; owed[cook] += a; owed[waiter] += a; owed[house] += n - 2 * a; allOwed += n; emit Tip(msg.sender, n); }
    function payOut(address who) external { uint256 n = owed[who]; require(n > 0, "nothing"); owed[who] = 0; allOwed -= n; (bool s,) = who.call{value: n}(""); require(s, "pay"); }
    function payOutToken(IERC20 t) external { uint256 n = t.balanceOf(address(this)); uint256 a = n * 45 / 100; t.safeTransfer(cook, a); t.safeTransfer(waiter, a); t.safeTransfer(house, n - 2 * a); }
}
