// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface IBrook { function token0() external view returns (address); function getReserves() external view returns (uint112, uint112, uint32); function swap(uint256, uint256, address, bytes calldata) external; }
interface ICash { function balanceOf(address) external view returns (uint256); function transfer(address, uint256) external returns (bool); function transferFrom(address, address, uint256) external returns (bool); function deposit() external payable; function withdraw(uint256) external; }
contract BrookRouter {
    IBrook public immutable pair; ICash public immutable WETH; ICash public immutable coin;
    constructor(address p, address w, address t) { pair = IBrook(p); WETH = ICash(w); coin = ICash(t); }
    receive() external payable {}
    function factory() external view returns (address) { return address(pair); }
    function _trade(ICash tin, address to) private {
        bool first = pair.token0() == address(tin); (uint256 x, uint256 y,) = pair.getReserves(); if (!first) (x, y) = (y, x);
        uint256 i = tin.balanceOf(address(pair)) - x; uint256 o = i * 997 * y / (x * 1000 + i * 997); if (first) pair.swap(0, o, to, ""); else pair.swap(o, 0, to, "");
    }
    function buy(address to) external payable { WETH.deposit{value: msg.value}(); WETH.transfer(address(pair), msg.value); _trade(WETH, to); }
    function sell(uint256 n, address to) external { require(coin.transferFrom(msg.sender, address(pair), n), "pull"); _trade(coin, address(this)); uint256 g = WETH.balanceOf(address(this)); WETH.withdraw(g); (bool s,) = to.call{value: g}(""); require(s, "eth"); }
}
