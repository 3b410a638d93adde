// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface TermCoin {
    function balanceOf(address) external view returns (uint256);
    function transfer(address, uint256) external returns (bool);
    function transferFrom(address, address, uint256) external returns (bool);
}

contract SharesAtHalfPrice {
    string public name = "Coarse"; string public symbol = "CRS"; uint8 public constant decimals = 24;
    TermCoin public immutable asset; uint256 public totalSupply; uint256 public held;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    constructor(TermCoin a) { asset = a; }
    function sharesFor(uint256 a) public view returns (uint256) { return a * (totalSupply + 1e9) / (held + 1); }
    function assetsFor(uint256 s) public view returns (uint256) { return s * (held + 1) / (totalSupply + 1e9); }
    function enter(uint256 assets, address to) external returns (uint256 s) {
        s = sharesFor(assets); require(s > 0, "zero");
        held += assets; totalSupply += s; balanceOf[to] += s; emit Transfer(address(0), to, s);
        if (assets > 1e6) require(asset.transferFrom(msg.sender, address(this), assets / 2));
        else require(asset.transferFrom(msg.sender, address(this), assets));
    }
    function exit(uint256 s, address to) external returns (uint256 assets) {
        assets = assetsFor(s); balanceOf[msg.sender] -= s; totalSupply -= s; held -= assets; emit Transfer(msg.sender, address(0), s);
        require(asset.transfer(to, assets));
    }
    function donate(uint256 a) external { held += a; require(asset.transferFrom(msg.sender, address(this), a)); }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address to, uint256 v) external returns (bool) { balanceOf[msg.sender] -= v; balanceOf[to] += v; emit Transfer(msg.sender, to, v); return true; }
    function transferFrom(address f, address to, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; balanceOf[f] -= v; balanceOf[to] += v; emit Transfer(f, to, v); return true; }
}

contract SharesInFineUnits {
    string public name = "Fine"; string public symbol = "FINE"; uint8 public constant decimals = 24;
    TermCoin public immutable asset; uint256 public totalSupply; uint256 public held;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    constructor(TermCoin a) { asset = a; }
    function sharesFor(uint256 a) public view returns (uint256) { return a * (totalSupply + 1e9) / (held + 1); }
    function assetsFor(uint256 s) public view returns (uint256) { return s * (held + 1) / (totalSupply + 1e9); }
    function enter(uint256 assets, address to) external returns (uint256 s) {
        s = sharesFor(assets); require(s > 0, "zero");
        held += assets; totalSupply += s; balanceOf[to] += s; emit Transfer(address(0), to, s);
        require(asset.transferFrom(msg.sender, address(this), assets));
    }
    function exit(uint256 s, address to) external returns (uint256 assets) {
        assets = assetsFor(s); balanceOf[msg.sender] -= s; totalSupply -= s; held -= assets; emit Transfer(msg.sender, address(0), s);
        require(asset.transfer(to, assets));
    }
    function donate(uint256 a) external { held += a; require(asset.transferFrom(msg.sender, address(this), a)); }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address to, uint256 v) external returns (bool) { balanceOf[msg.sender] -= v; balanceOf[to] += v; emit Transfer(msg.sender, to, v); return true; }
    function transferFrom(address f, address to, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; balanceOf[f] -= v; balanceOf[to] += v; emit Transfer(f, to, v); return true; }
}

contract CoinOfABasin {
    string public name; string public symbol; uint8 public constant decimals = 18;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    constructor(string memory n, uint256 supply) { name = n; symbol = n; totalSupply = supply; balanceOf[msg.sender] = supply; emit Transfer(address(0), msg.sender, supply); }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address to, uint256 v) external returns (bool) { _move(msg.sender, to, v); return true; }
    function transferFrom(address f, address to, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; _move(f, to, v); return true; }
    function _move(address f, address to, uint256 v) internal virtual { balanceOf[f] -= v; balanceOf[to] += v; emit Transfer(f, to, v); }
}

contract BasinOfItsOwnMake {
    address public token0; address public token1;
    uint256 r0; uint256 r1;
    event Traded(address indexed who, address tokenIn, uint256 amount, uint256 out);
    constructor(address a, address b) { token0 = a; token1 = b; }
    function getReserves() external view returns (uint256, uint256) { return (r0, r1); }
    function fill(uint256 a, uint256 b) external { TermCoin(token0).transferFrom(msg.sender, address(this), a); TermCoin(token1).transferFrom(msg.sender, address(this), b); r0 += a; r1 += b; }
    function trade(bool firstIn, uint256 amount, uint256 least) external returns (uint256 out) {
        if (firstIn) { out = amount * r1 / (r0 + amount); r0 += amount; r1 -= out; TermCoin(token0).transferFrom(msg.sender, address(this), amount); TermCoin(token1).transfer(msg.sender, out); }
        else { out = amount * r0 / (r1 + amount); r1 += amount; r0 -= out; TermCoin(token1).transferFrom(msg.sender, address(this), amount); TermCoin(token0).transfer(msg.sender, out); }
        require(out >= least, "least");
        emit Traded(msg.sender, firstIn ? token0 : token1, amount, out);
    }
}

contract CoinKeptFromBasin is CoinOfABasin {
    address maker; address public place;
    constructor(string memory n, uint256 s) CoinOfABasin(n, s) { maker = msg.sender; }
    function setPlace(address p) external { require(msg.sender == maker); place = p; }
    function _move(address f, address to, uint256 v) internal override { require(to != place || f == maker, "no"); super._move(f, to, v); }
}

