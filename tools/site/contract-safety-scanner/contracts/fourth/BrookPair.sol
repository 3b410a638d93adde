// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface ICoin { function balanceOf(address) external view returns (uint256); function transfer(address, uint256) external returns (bool); }
interface IFlash { function uniswapV2Call(address, uint256, uint256, bytes calldata) external; }
contract BrookPair {
    string public constant name = "Brook V2"; string public constant symbol = "BRK-V2"; uint8 public constant decimals = 18; uint256 public constant MINIMUM_LIQUIDITY = 1000;
    address public immutable factory; address public token0; address public token1; uint256 public totalSupply; uint112 private ra; uint112 private rb; uint32 private at; bool private busy;
    mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
    event Mint(address indexed sender, uint256 amount0, uint256 amount1); event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to);
    event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to); event Sync(uint112 reserve0, uint112 reserve1);
    modifier lock() { require(!busy, "LOCKED"); busy = true; _; busy = false; }
    constructor(address a, address b) { factory = address(this); if (a != b) initialize(a, b); }
    function initialize(address a, address b) public { require(token1 == address(0), "DONE"); if (uint160(a) < uint160(b)) { token0 = a; token1 = b; } else { token0 = b; token1 = a; } }
    function getPair(address a, address b) external view returns (address) { bool y = (a == token0 && b == token1) || (b == token0 && a == token1); return y ? address(this) : address(0); }
    function getReserves() public view returns (uint112 reserve0, uint112 reserve1, uint32 last) { return (ra, rb, at); }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address to, uint256 v) external returns (bool) { _lp(msg.sender, to, v); return true; }
    function transferFrom(address f, address to, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; _lp(f, to, v); return true; }
    function _lp(address f, address to, uint256 v) private { if (f == address(0)) totalSupply += v; else balanceOf[f] -= v; if (to == address(0)) totalSupply -= v; else balanceOf[to] += v; emit Transfer(f, to, v); }
    function _book() private returns (uint256 a, uint256 b) { a = ICoin(token0).balanceOf(address(this)); b = ICoin(token1).balanceOf(address(this)); require(a >> 112 == 0 && b >> 112 == 0, "OVERFLOW"); ra = uint112(a); rb = uint112(b); at = uint32(block.timestamp); emit Sync(ra, rb); }
    function _send(address t, address to, uint256 v) private { (bool s, bytes memory r) = t.call(abi.encodeWithSelector(ICoin.transfer.selector, to, v)); require(s && (r.length == 0 || abi.decode(r, (bool))), "TRANSFER_FAILED"); }
    function mint(address to) external lock returns (uint256 liq) {
        uint256 x = ICoin(token0).balanceOf(address(this)) - ra; uint256 y = ICoin(token1).balanceOf(address(this)) - rb; uint256 s = totalSupply;
        if (s == 0) { liq = root(x * y) - MINIMUM_LIQUIDITY; _lp(address(0), address(1), MINIMUM_LIQUIDITY); } else { uint256 p = x * s / ra; uint256 q = y * s / rb; liq = p < q ? p : q; }
        require(liq > 0, "NO_LIQ"); _lp(address(0), to, liq); _book(); emit Mint(msg.sender, x, y);
    }
    function burn(address to) external lock returns (uint256 x, uint256 y) {
        uint256 l = balanceOf[address(this)]; x = l * ICoin(token0).balanceOf(address(this)) / totalSupply; y = l * ICoin(token1).balanceOf(address(this)) / totalSupply; require(x > 0 && y > 0, "NO_BURN");
        _lp(address(this), address(0), l); _send(token0, to, x); _send(token1, to, y); _book(); emit Burn(msg.sender, x, y, to);
    }
    function swap(uint256 xo, uint256 yo, address to, bytes calldata data) external lock {
        (uint256 p, uint256 q) = (ra, rb); require(xo + yo > 0 && xo < p && yo < q, "OUT"); require(to != token0 && to != token1, "TO");
        if (xo > 0) _send(token0, to, xo); if (yo > 0) _send(token1, to, yo); if (data.length > 0) IFlash(to).uniswapV2Call(msg.sender, xo, yo, data);
        (uint256 a, uint256 b) = _book(); uint256 xi = a + xo > p ? a + xo - p : 0; uint256 yi = b + yo > q ? b + yo - q : 0; require(xi + yi > 0, "IN");
        require((a * 1000 - xi * 3) * (b * 1000 - yi * 3) >= p * q * 1e6, "K"); emit Swap(msg.sender, xi, yi, xo, yo, to);
    }
    function skim(address to) external lock { _send(token0, to, ICoin(token0).balanceOf(address(this)) - ra); _send(token1, to, ICoin(token1).balanceOf(address(this)) - rb); }
    function sync() external lock { _book(); }
    function root(uint256 n) private pure returns (uint256 z) { if (n == 0) return 0; z = n; uint256 x = n / 2 + 1; while (x < z) { z = x; x = (n / x + x) / 2; } }
}
