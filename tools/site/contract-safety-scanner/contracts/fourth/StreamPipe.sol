// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
contract StreamPipe {
    using SafeERC20 for IERC20; struct Flow { address to; uint64 start; uint64 stop; uint256 n; uint256 out; } IERC20 public immutable token; mapping(uint256 => Flow) public flows; uint256 public count; event Opened(uint256 indexed id, address indexed to, uint256 n); event Drawn(uint256 indexed id, uint256 n);
    constructor(IERC20 t) { token = t; }
    function open(address to, uint256 n, uint64 span) external returns (uint256 id) { require(to != address(0) && n > 0 && span > 0, "terms"); id = count++; flows[id] = Flow(to, uint64(block.timestamp), uint64(block.timestamp) + span, n, 0); token.safeTransferFrom(msg.sender, address(this), n); emit Opened(id, to, n); }
    function ready(uint256 id) public view returns (uint256) { Flow storage f = flows[id]; uint256 t = block.timestamp < f.stop ? block.timestamp - f.start : f.stop - f.start; return f.n * t / (f.stop - f.start) - f.out; }
    function draw(uint256 id) external { uint256 n = ready(id); flows[id].out += n; token.safeTransfer(flows[id].to, n); emit Drawn(id, n); }
}
