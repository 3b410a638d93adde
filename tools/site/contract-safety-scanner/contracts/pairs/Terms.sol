// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface TermCoin {
    function balanceOf(address) external view returns (uint256);
    function transfer(address, uint256) external returns (bool);
    function transferFrom(address, address, uint256) external returns (bool);
}

contract ChestOthersProlong {
    struct Chest { uint256 amount; uint256 opens; }
    mapping(address => Chest) public chests;
    event Filled(address indexed who, uint256 amount, uint256 opens); event Opened(address indexed who, uint256 amount);
    function fill(uint256 term) external payable { _fill(msg.sender, term); }
    function gift(address who, uint256 term) external payable { require(who != address(0)); _fill(who, term); }
    function _fill(address who, uint256 term) private {
        require(msg.value > 0 && term >= 2 days && term <= 3650 days, "term");
        Chest storage c = chests[who]; c.amount += msg.value; uint256 o = block.timestamp + term; if (o > c.opens) c.opens = o; emit Filled(who, msg.value, c.opens);
    }
    function open() external { Chest memory c = chests[msg.sender]; require(c.amount > 0 && block.timestamp >= c.opens, "shut"); delete chests[msg.sender]; emit Opened(msg.sender, c.amount); (bool ok,) = msg.sender.call{value: c.amount}(""); require(ok); }
}

contract ChestOthersFill {
    struct Chest { uint256 amount; uint256 opens; }
    mapping(address => Chest[]) private chests;
    event Filled(address indexed who, uint256 amount, uint256 opens); event Opened(address indexed who, uint256 amount);
    function fill(uint256 term) external payable { _fill(msg.sender, term); }
    function gift(address who, uint256 term) external payable { require(who != address(0)); _fill(who, term); }
    function _fill(address who, uint256 term) private {
        require(msg.value > 0 && term >= 2 days && term <= 3650 days, "term");
        chests[who].push(Chest(msg.value, block.timestamp + term)); emit Filled(who, msg.value, block.timestamp + term);
    }
    function open(uint256 nth) external { Chest memory c = chests[msg.sender][nth]; require(c.amount > 0 && block.timestamp >= c.opens, "shut"); delete chests[msg.sender][nth]; emit Opened(msg.sender, c.amount); (bool ok,) = msg.sender.call{value: c.amount}(""); require(ok); }
}

contract SharesOfTheFirst {
    string public name = "Fine"; string public symbol = "FINE"; uint8 public constant decimals = 24;
    TermCoin public immutable asset; uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    constructor(TermCoin a) { asset = a; }
    function sharesFor(uint256 a) public view returns (uint256) { return totalSupply == 0 ? a : a * totalSupply / asset.balanceOf(address(this)); }
    function assetsFor(uint256 s) public view returns (uint256) { return totalSupply == 0 ? s : s * asset.balanceOf(address(this)) / totalSupply; }
    function enter(uint256 assets, address to) external returns (uint256 s) {
        s = sharesFor(assets);
        totalSupply += s; balanceOf[to] += s; emit Transfer(address(0), to, s);
        require(asset.transferFrom(msg.sender, address(this), assets));
    }
    function exit(uint256 s, address to) external returns (uint256 assets) {
        assets = assetsFor(s); balanceOf[msg.sender] -= s; totalSupply -= s; emit Transfer(msg.sender, address(0), s);
        require(asset.transfer(to, assets));
    }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address to, uint256 v) external returns (bool) { balanceOf[msg.sender] -= v; balanceOf[to] += v; emit Transfer(msg.sender, to, v); return true; }
    function transferFrom(address f, address to, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; balanceOf[f] -= v; balanceOf[to] += v; emit Transfer(f, to, v); return true; }
}
