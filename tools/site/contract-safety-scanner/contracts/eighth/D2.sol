// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import "@openzeppelin/contracts/proxy/utils/Initializable.sol";

interface IPairPool is IERC20 {
    function virtualPrice() external view returns (uint256);
}

contract LpCredit is ReentrancyGuard {
    using SafeERC20 for IERC20;

    uint256 public constant LOAN_TO_VALUE = 80;
    IPairPool public immutable lp;
    IERC20 public immutable weth;
    mapping(address => uint256) public supplied;
    mapping(address => uint256) public pledged;
    mapping(address => uint256) public debt;

    constructor(IPairPool lp_, IERC20 weth_) {
        lp = lp_;
        weth = weth_;
    }

    function supply(uint256 amount) external nonReentrant {
        supplied[msg.sender] += amount;
        weth.safeTransferFrom(msg.sender, address(this), amount);
    }

    function unsupply(uint256 amount) external nonReentrant {
        supplied[msg.sender] -= amount;
        weth.safeTransfer(msg.sender, amount);
    }

    function pledge(uint256 amount) external nonReentrant {
        pledged[msg.sender] += amount;
        IERC20(address(lp)).safeTransferFrom(msg.sender, address(this), amount);
    }

    function unpledge(uint256 amount) external nonReentrant {
        pledged[msg.sender] -= amount;
        require(debt[msg.sender] <= creditOf(msg.sender), "debt");
        IERC20(address(lp)).safeTransfer(msg.sender, amount);
    }

    function creditOf(address who) public view returns (uint256) {
        return (((pledged[who] * lp.virtualPrice()) / 1e18) * LOAN_TO_VALUE) / 100;
    }

    function borrow(uint256 amount) external nonReentrant {
        debt[msg.sender] += amount;
        require(debt[msg.sender] <= creditOf(msg.sender), "credit");
        weth.safeTransfer(msg.sender, amount);
    }

    function repay(uint256 amount) external nonReentrant {
        debt[msg.sender] -= amount;
        weth.safeTransferFrom(msg.sender, address(this), amount);
    }
}

contract CardLocker {
    IERC721 public immutable cards;
    mapping(address => uint256) public tickets;

    event Stored(address indexed who, uint256 id);
    event Fetched(address indexed who, uint256 id);

    constructor(IERC721 cards_) {
        cards = cards_;
    }

    function store(uint256 id) external {
        tickets[msg.sender] += 1;
        cards.transferFrom(msg.sender, address(this), id);
        emit Stored(msg.sender, id);
    }

    function fetch(uint256 id) external {
        uint256 have = tickets[msg.sender];
        require(have > 0, "no ticket");
        cards.safeTransferFrom(address(this), msg.sender, id);
        tickets[msg.sender] = have - 1;
        emit Fetched(msg.sender, id);
    }

    function giveTicket(address to) external {
        tickets[msg.sender] -= 1;
        tickets[to] += 1;
    }
}

contract TreasuryPot is Initializable {
    using SafeERC20 for IERC20;

    IERC20 public coin;
    address public steward;
    uint64 public rescueDelay;
    uint256 public total;
    mapping(address => uint256) public shareOf;

    function initialize(IERC20 coin_) external initializer {
        coin = coin_;
    }

    function initializeV2(address steward_, uint64 rescueDelay_) external reinitializer(2) {
        steward = steward_;
        rescueDelay = rescueDelay_;
    }

    function save(uint256 amount) external {
        coin.safeTransferFrom(msg.sender, address(this), amount);
        shareOf[msg.sender] += amount;
        total += amount;
    }

    function unsave(uint256 amount) external {
        shareOf[msg.sender] -= amount;
        total -= amount;
        coin.safeTransfer(msg.sender, amount);
    }

    function rescue(IERC20 what, address to, uint256 amount) external {
        require(msg.sender == steward, "steward");
        what.safeTransfer(to, amount);
    }
}

contract VenueRouter {
    using SafeERC20 for IERC20;

    uint256 public constant LISTING_FEE = 0.05 ether;
    address payable public immutable house;
    mapping(address => bool) public listed;

    event Listed(address indexed venue, address by);
    event Swapped(address indexed who, address venue, uint256 amountIn, uint256 amountOut);

    constructor(address payable house_) {
        house = house_;
    }

    function listVenue(address venue) external payable {
        require(msg.value == LISTING_FEE, "fee");
        require(venue.code.length > 0, "no code");
        listed[venue] = true;
        house.transfer(msg.value);
        emit Listed(venue, msg.sender);
    }

    function swap(address venue, IERC20 coinIn, uint256 amountIn, IERC20 coinOut, uint256 minOut, bytes calldata data)
        external
    {
        require(listed[venue], "venue");
        require(venue != address(coinIn), "coin");
        coinIn.safeTransferFrom(msg.sender, address(this), amountIn);
        coinIn.forceApprove(venue, amountIn);
        uint256 before = coinOut.balanceOf(address(this));
        (bool ok, ) = venue.call(data);
        require(ok, "venue failed");
        coinIn.forceApprove(venue, 0);
        uint256 out = coinOut.balanceOf(address(this)) - before;
        require(out >= minOut, "slippage");
        coinOut.safeTransfer(msg.sender, out);
        emit Swapped(msg.sender, venue, amountIn, out);
    }
}

contract ModularBank {
    mapping(address => uint256) public saved;
    mapping(address => mapping(address => bool)) public usesModule;
    uint256 public savers;

    function save() external payable {
        if (saved[msg.sender] == 0) savers++;
        saved[msg.sender] += msg.value;
    }

    function draw(uint256 amount) external {
        saved[msg.sender] -= amount;
        if (saved[msg.sender] == 0) savers--;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "pay");
    }

    function plugIn(address module) external {
        require(module.code.length != 0, "module");
        usesModule[msg.sender][module] = true;
    }

    function unplug(address module) external {
        usesModule[msg.sender][module] = false;
    }

    function run(address module, bytes calldata job) external returns (bytes memory result) {
        require(saved[msg.sender] > 0, "saver");
        require(usesModule[msg.sender][module], "plug in first");
        bool ok;
        (ok, result) = module.delegatecall(job);
        require(ok, "job");
    }
}

contract TownFund {
    struct Plan {
        address payable to;
        uint256 amount;
        uint256 yes;
        bool paid;
    }

    IERC20 public immutable town;
    Plan[] public plans;
    mapping(uint256 => mapping(address => bool)) public hasVoted;
    mapping(address => uint256) public gave;

    constructor(IERC20 town_) {
        town = town_;
    }

    function give() external payable {
        gave[msg.sender] += msg.value;
    }

    function propose(address payable to, uint256 amount) external returns (uint256) {
        require(town.balanceOf(msg.sender) > 0, "townsfolk only");
        plans.push(Plan(to, amount, 0, false));
        return plans.length - 1;
    }

    function vote(uint256 id) external {
        require(!hasVoted[id][msg.sender], "voted");
        hasVoted[id][msg.sender] = true;
        plans[id].yes += town.balanceOf(msg.sender);
    }

    function carryOut(uint256 id) external {
        Plan storage p = plans[id];
        require(!p.paid, "paid");
        require(p.yes * 2 > town.totalSupply(), "no majority");
        p.paid = true;
        (bool ok, ) = p.to.call{value: p.amount}("");
        require(ok, "pay");
    }
}

contract MilestoneKitty {
    address payable public immutable organiser;
    uint256 public immutable milestones;
    uint256 public current;
    uint256 public total;
    mapping(address => uint256) public given;
    mapping(uint256 => uint256) public approvedWeight;
    mapping(uint256 => mapping(address => bool)) public approvedBy;

    error Closed();
    error Again();
    error NoMajority();

    constructor(address payable organiser_, uint256 milestones_) {
        organiser = organiser_;
        milestones = milestones_;
    }

    function chipIn() external payable {
        if (current >= milestones) revert Closed();
        if (approvedBy[current][msg.sender]) approvedWeight[current] += msg.value;
        given[msg.sender] += msg.value;
        total += msg.value;
    }

    function approveMilestone() external {
        if (approvedBy[current][msg.sender]) revert Again();
        approvedBy[current][msg.sender] = true;
        approvedWeight[current] += given[msg.sender];
    }

    function takeBack() external {
        uint256 mine = (given[msg.sender] * address(this).balance) / total;
        total -= given[msg.sender];
        given[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: mine}("");
        require(ok);
    }

    function release() external {
        if (current >= milestones) revert Closed();
        if (approvedWeight[current] * 2 <= total) revert NoMajority();
        uint256 part = address(this).balance / (milestones - current);
        current++;
        (bool ok, ) = organiser.call{value: part}("");
        require(ok);
    }
}

interface IFeedOf8 {
    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80);
}

contract GrainLoans {
    using SafeERC20 for IERC20;

    IERC20 public immutable grain;
    IERC20 public immutable dollar;
    IFeedOf8 public immutable feed;
    mapping(address => uint256) public lent;
    mapping(address => uint256) public pledged;
    mapping(address => uint256) public owing;

    constructor(IERC20 grain_, IERC20 dollar_, IFeedOf8 feed_) {
        grain = grain_;
        dollar = dollar_;
        feed = feed_;
    }

    function price() public view returns (uint256) {
        (, int256 answer, , uint256 at, ) = feed.latestRoundData();
        require(answer > 0 && block.timestamp - at < 1 days, "feed");
        return uint256(answer);
    }

    function lend(uint256 amount) external {
        dollar.safeTransferFrom(msg.sender, address(this), amount);
        lent[msg.sender] += amount;
    }

    function unlend(uint256 amount) external {
        lent[msg.sender] -= amount;
        dollar.safeTransfer(msg.sender, amount);
    }

    function pledge(uint256 amount) external {
        grain.safeTransferFrom(msg.sender, address(this), amount);
        pledged[msg.sender] += amount;
    }

    function limitOf(address who) public view returns (uint256) {
        return (((pledged[who] * price()) / 1e8) * 60) / 100;
    }

    function borrow(uint256 amount) external {
        owing[msg.sender] += amount;
        require(owing[msg.sender] <= limitOf(msg.sender), "over limit");
        dollar.safeTransfer(msg.sender, amount);
    }

    function repay(uint256 amount) external {
        owing[msg.sender] -= amount;
        dollar.safeTransferFrom(msg.sender, address(this), amount);
    }

    function unpledge(uint256 amount) external {
        pledged[msg.sender] -= amount;
        require(owing[msg.sender] <= limitOf(msg.sender), "still owing");
        grain.safeTransfer(msg.sender, amount);
    }
}

contract NightRaffle {
    uint256 public constant PRICE = 1 ether;
    uint256 public constant SIZE = 8;
    address[] public players;
    bytes32 public mix;
    uint256 public night;
    mapping(address => uint256) public prizes;

    event Won(uint256 indexed night, address winner);

    function buy(bytes32 luckyWord) external payable {
        require(msg.value == PRICE, "price");
        mix = keccak256(abi.encode(mix, luckyWord, block.timestamp, block.prevrandao, msg.sender));
        players.push(msg.sender);
        if (players.length == SIZE) {
            address winner = players[uint256(mix) % SIZE];
            prizes[winner] += PRICE * SIZE;
            emit Won(night, winner);
            night++;
            delete players;
        }
    }

    function ticketCount() external view returns (uint256) {
        return players.length;
    }

    function collect() external {
        uint256 amount = prizes[msg.sender];
        prizes[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "collect");
    }
}
