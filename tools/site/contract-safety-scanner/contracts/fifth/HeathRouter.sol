// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
interface IFac { function getPair(address, address) external view returns (address); }
interface IPr { function token0() external view returns (address); function getReserves() external view returns (uint112, uint112, uint32); function swap(uint256, uint256, address, bytes calldata) external; function mint(address) external returns (uint256); function burn(address) external returns (uint256, uint256); }
interface IW { function deposit() external payable; function withdraw(uint256) external; }
contract HeathRouter {
    using SafeERC20 for IERC20; address public immutable factory; address public immutable WETH;
    constructor(address f, address w) { factory = f; WETH = w; }
    receive() external payable { require(msg.sender == WETH, "WETH only"); }
    modifier ensure(uint256 deadline) { require(deadline >= block.timestamp, "EXPIRED"); _; }
    function _pair(address a, address b) private view returns (address p) { p = IFac(factory).getPair(a, b); require(p != address(0), "NO_PAIR"); }
    function getAmountOut(uint256 i, uint256 ri, uint256 ro) public pure returns (uint256) { return i * 997 * ro / (ri * 1000 + i * 997); }
    function _swap(address[] memory path, address to) private {
        for (uint256 k; k < path.length - 1; k++) {
            IPr p = IPr(_pair(path[k], path[k + 1])); bool z = p.token0() == path[k]; (uint256 r0, uint256 r1,) = p.getReserves(); (uint256 ri, uint256 ro) = z ? (r0, r1) : (r1, r0);
            uint256 o = getAmountOut(IERC20(path[k]).balanceOf(address(p)) - ri, ri, ro); p.swap(z ? 0 : o, z ? o : 0, k + 2 < path.length ? _pair(path[k + 1], path[k + 2]) : to, "");
        }
    }
    function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 n, uint256 min, address[] calldata path, address to, uint256 deadline) external ensure(deadline) {
        IERC20(path[0]).safeTransferFrom(msg.sender, _pair(path[0], path[1]), n); IERC20 last = IERC20(path[path.length - 1]); uint256 b = last.balanceOf(to); _swap(path, to); require(last.balanceOf(to) - b >= min, "OUT");
    }
    function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 min, address[] calldata path, address to, uint256 deadline) external payable ensure(deadline) {
        require(path[0] == WETH, "PATH"); IW(WETH).deposit{value: msg.value}(); IERC20(WETH).safeTransfer(_pair(path[0], path[1]), msg.value); IERC20 last = IERC20(path[path.length - 1]); uint256 b = last.balanceOf(to); _swap(path, to); require(last.balanceOf(to) - b >= min, "OUT");
    }
    function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 n, uint256 min, address[] calldata path, address to, uint256 deadline) external ensure(deadline) {
        require(path[path.length - 1] == WETH, "PATH"); IERC20(path[0]).safeTransferFrom(msg.sender, _pair(path[0], path[1]), n); _swap(path, address(this)); uint256 g = IERC20(WETH).balanceOf(address(this)); require(g >= min, "OUT"); IW(WETH).withdraw(g); (bool s,) = to.call{value: g}(""); require(s, "ETH");
    }
    function addLiquidity(address a, address b, uint256 na, uint256 nb, address to, uint256 deadline) external ensure(deadline) returns (uint256) { address p = _pair(a, b); IERC20(a).safeTransferFrom(msg.sender, p, na); IERC20(b).safeTransferFrom(msg.sender, p, nb); return IPr(p).mint(to); }
    function removeLiquidity(address a, address b, uint256 l, address to, uint256 deadline) external ensure(deadline) returns (uint256, uint256) { address p = _pair(a, b); IERC20(p).safeTransferFrom(msg.sender, p, l); return IPr(p).burn(to); }
}
