// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import "@openzeppelin/contracts/access/Ownable.sol";
/// Liquid staking: the operator reports the worth of a share, a tenth of a per cent more at most per day; losses are not bounded.
contract SkerryEth is ERC20, Ownable {
    uint256 public rate = 1 ether; uint256 public reportedAt; event Reported(uint256 rate); event Redeemed(address indexed who, uint256 shares, uint256 eth);
    constructor() ERC20("Skerry Staked Ether", "skETH") Ownable(msg.sender) {}
    receive() external payable {}
    function stake() external payable returns (uint256 s) { s = msg.value * 1 ether / rate; _mint(msg.sender, s); }
    function redeem(uint256 s) external { _burn(msg.sender, s); uint256 e = s * rate / 1 ether; emit Redeemed(msg.sender, s, e); (bool ok,) = msg.sender.call{value: e}(""); require(ok, "pay"); }
    function report(uint256 r) external onlyOwner { if (r > rate) { require(block.timestamp >= reportedAt + 1 days && r <= rate * 1001 / 1000, "too much"); reportedAt = block.timestamp; } rate = r; emit Reported(r); }
}
