// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

contract HarborDollar is ERC20, ERC20Permit {
    constructor() ERC20("Harbor Dollar", "HBD") ERC20Permit("Harbor Dollar") {
        _mint(msg.sender, 100_000_000e6);
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }
}

contract GoldGrain is ERC20 {
    constructor() ERC20("Gold Grain", "GRAIN") {
        _mint(msg.sender, 10_000_000e18);
    }
}

contract TownToken is ERC20 {
    constructor() ERC20("Town", "TOWN") {
        _mint(msg.sender, 1_000_000e18);
    }
}

contract StakedEtherCoin is ERC20 {
    constructor() ERC20("Staked Ether Coin", "stEC") {
        _mint(msg.sender, 1_000_000e18);
    }
}

contract WrapEther {
    string public constant name = "Wrap Ether";
    string public constant symbol = "WPE";
    uint8 public constant decimals = 18;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Approval(address indexed src, address indexed guy, uint256 wad);
    event Transfer(address indexed src, address indexed dst, uint256 wad);
    event Deposit(address indexed dst, uint256 wad);
    event Withdrawal(address indexed src, uint256 wad);

    receive() external payable {
        deposit();
    }

    fallback() external payable {
        deposit();
    }

    function deposit() public payable {
        balanceOf[msg.sender] += msg.value;
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(uint256 wad) public {
        balanceOf[msg.sender] -= wad;
        (bool ok, ) = msg.sender.call{value: wad}("");
        require(ok);
        emit Withdrawal(msg.sender, wad);
    }

    function totalSupply() public view returns (uint256) {
        return address(this).balance;
    }

    function approve(address guy, uint256 wad) public returns (bool) {
        allowance[msg.sender][guy] = wad;
        emit Approval(msg.sender, guy, wad);
        return true;
    }

    function transfer(address dst, uint256 wad) public returns (bool) {
        return transferFrom(msg.sender, dst, wad);
    }

    function transferFrom(address src, address dst, uint256 wad) public returns (bool) {
        if (src != msg.sender && allowance[src][msg.sender] != type(uint256).max) {
            allowance[src][msg.sender] -= wad;
        }
        balanceOf[src] -= wad;
        balanceOf[dst] += wad;
        emit Transfer(src, dst, wad);
        return true;
    }
}

contract TitheCoin is ERC20 {
    address public immutable parish;

    constructor(address parish_) ERC20("Tithe Coin", "TITHE") {
        parish = parish_;
        _mint(msg.sender, 5_000_000e18);
    }

    function _update(address from, address to, uint256 value) internal override {
        if (from == address(0) || to == address(0)) {
            super._update(from, to, value);
            return;
        }
        uint256 cut = value / 50;
        super._update(from, parish, cut);
        super._update(from, to, value - cut);
    }
}

contract CardNft is ERC721 {
    address public immutable printer = msg.sender;
    uint256 public printed;

    constructor() ERC721("Harbor Cards", "CARD") {}

    function print(address to) external {
        require(msg.sender == printer, "printer");
        _mint(to, ++printed);
    }
}

contract StaticFeed {
    int256 private immutable _answer;
    uint8 public constant decimals = 8;

    constructor(int256 answer_) {
        _answer = answer_;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (1, _answer, block.timestamp, block.timestamp, 1);
    }
}

contract EtherPairPool is ERC20 {
    IERC20 public immutable coin;
    uint256 public ethReserve;
    uint256 public coinReserve;
    uint256 private _entered = 1;

    constructor(IERC20 coin_) ERC20("Ether Pair LP", "EPLP") {
        coin = coin_;
    }

    modifier once() {
        require(_entered == 1, "busy");
        _entered = 2;
        _;
        _entered = 1;
    }

    function virtualPrice() external view returns (uint256) {
        uint256 supply = totalSupply();
        return supply == 0 ? 1e18 : ((ethReserve + coinReserve) * 1e18) / supply;
    }

    function add(uint256 coinAmount) external payable once returns (uint256 lp) {
        uint256 supply = totalSupply();
        uint256 into = msg.value + coinAmount;
        lp = supply == 0 ? into : (into * supply) / (ethReserve + coinReserve);
        require(lp > 0, "dust");
        ethReserve += msg.value;
        coinReserve += coinAmount;
        require(coin.transferFrom(msg.sender, address(this), coinAmount), "coin");
        _mint(msg.sender, lp);
    }

    function remove(uint256 lp) external once {
        uint256 supply = totalSupply();
        uint256 ethOut = (ethReserve * lp) / supply;
        uint256 coinOut = (coinReserve * lp) / supply;
        _burn(msg.sender, lp);
        ethReserve -= ethOut;
        (bool ok, ) = msg.sender.call{value: ethOut}("");
        require(ok, "eth");
        coinReserve -= coinOut;
        require(coin.transfer(msg.sender, coinOut), "coin");
    }

    function sellCoin(uint256 amount) external once {
        uint256 out = (amount * 9996) / 10000;
        ethReserve -= out;
        coinReserve += amount;
        require(coin.transferFrom(msg.sender, address(this), amount), "coin");
        (bool ok, ) = msg.sender.call{value: out}("");
        require(ok, "eth");
    }
}

contract GrainPair {
    IERC20 public immutable grain;
    IERC20 public immutable dollar;
    address public immutable maker = msg.sender;
    uint256 public grainReserve;
    uint256 public dollarReserve;

    constructor(IERC20 grain_, IERC20 dollar_) {
        grain = grain_;
        dollar = dollar_;
    }

    function seed(uint256 g, uint256 d) external {
        require(msg.sender == maker, "maker");
        grain.transferFrom(msg.sender, address(this), g);
        dollar.transferFrom(msg.sender, address(this), d);
        grainReserve += g;
        dollarReserve += d;
    }

    function buyGrain(uint256 dollarsIn, uint256 minOut) external returns (uint256 out) {
        uint256 net = (dollarsIn * 997) / 1000;
        out = (grainReserve * net) / (dollarReserve + net);
        require(out >= minOut, "slip");
        dollar.transferFrom(msg.sender, address(this), dollarsIn);
        grain.transfer(msg.sender, out);
        dollarReserve += dollarsIn;
        grainReserve -= out;
    }

    function sellGrain(uint256 grainIn, uint256 minOut) external returns (uint256 out) {
        uint256 net = (grainIn * 997) / 1000;
        out = (dollarReserve * net) / (grainReserve + net);
        require(out >= minOut, "slip");
        grain.transferFrom(msg.sender, address(this), grainIn);
        dollar.transfer(msg.sender, out);
        grainReserve += grainIn;
        dollarReserve -= out;
    }
}

interface IMailTaker {
    function handle(uint32 origin, bytes32 sender, bytes calldata body) external;
}

contract MailPost {
    uint32 public immutable localDomain = uint32(block.chainid);
    uint256 public sent;

    event Dispatched(address indexed sender, address indexed to, bytes body);

    function dispatch(address to, bytes calldata body) external {
        sent++;
        emit Dispatched(msg.sender, to, body);
        IMailTaker(to).handle(localDomain, bytes32(uint256(uint160(msg.sender))), body);
    }
}

contract CouncilSafe {
    mapping(address => bool) public isMember;
    struct Motion {
        address to;
        bytes data;
        uint256 yes;
        bool done;
    }
    Motion[] public motions;
    mapping(uint256 => mapping(address => bool)) public agreed;

    constructor(address a, address b, address c, address d, address e) {
        isMember[a] = isMember[b] = isMember[c] = isMember[d] = isMember[e] = true;
    }

    function submit(address to, bytes calldata data) external returns (uint256 id) {
        require(isMember[msg.sender], "member");
        id = motions.length;
        motions.push(Motion(to, data, 0, false));
        _agree(id);
    }

    function agree(uint256 id) external {
        require(isMember[msg.sender], "member");
        _agree(id);
    }

    function _agree(uint256 id) private {
        require(!agreed[id][msg.sender], "twice");
        agreed[id][msg.sender] = true;
        motions[id].yes++;
    }

    function carryOut(uint256 id) external {
        Motion storage m = motions[id];
        require(m.yes >= 3 && !m.done, "not yet");
        m.done = true;
        (bool ok, ) = m.to.call(m.data);
        require(ok, "failed");
    }
}

interface IRootTaker {
    function setRoot(bytes32 root) external;
}

interface ISeasonClaim {
    function claim(uint256 index, address account, uint256 amount, bytes32[] calldata proof) external;
}

contract TreeScribe {
    bytes32[4] public leaves;
    bytes32[4] public strictLeaves;
    address public immutable author = msg.sender;

    function write(address a, address b, address c, address d, uint256 amount) external {
        require(msg.sender == author, "author");
        address[4] memory who = [a, b, c, d];
        for (uint256 i = 0; i < 4; i++) {
            leaves[i] = keccak256(abi.encodePacked(who[i], amount));
            strictLeaves[i] = keccak256(bytes.concat(keccak256(abi.encode(i, who[i], amount))));
        }
    }

    function publish(IRootTaker drop, bool strict) external {
        require(msg.sender == author, "author");
        bytes32[4] memory l = strict ? strictLeaves : leaves;
        drop.setRoot(_pair(_pair(l[0], l[1]), _pair(l[2], l[3])));
    }

    function proofOf(uint256 place, bool strict) public view returns (bytes32[] memory p) {
        bytes32[4] memory l = strict ? strictLeaves : leaves;
        p = new bytes32[](2);
        p[0] = l[place ^ 1];
        p[1] = place < 2 ? _pair(l[2], l[3]) : _pair(l[0], l[1]);
    }

    function bring(ISeasonClaim drop, uint256 place, bool strict, uint256 index, address account, uint256 amount) external {
        drop.claim(index, account, amount, proofOf(place, strict));
    }

    function _pair(bytes32 x, bytes32 y) private pure returns (bytes32) {
        return x < y ? keccak256(abi.encodePacked(x, y)) : keccak256(abi.encodePacked(y, x));
    }
}
