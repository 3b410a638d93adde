// SPDX-License-Identifier: MIT
pragma solidity ^0.8.22;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";

contract TollVault is Ownable {
    using SafeERC20 for IERC20;

    uint256 public constant MAX_TOLL = 100;
    IERC20 public immutable coin;
    uint256 public toll = 20;
    uint256 public collected;
    mapping(address => uint256) public inside;

    event TollSet(uint256 toll);

    constructor(IERC20 coin_) Ownable(msg.sender) {
        coin = coin_;
    }

    function setToll(uint256 toll_) external onlyOwner {
        require(toll_ <= MAX_TOLL, "over 1%");
        toll = toll_;
        emit TollSet(toll_);
    }

    function enter(uint256 amount) external {
        coin.safeTransferFrom(msg.sender, address(this), amount);
        inside[msg.sender] += amount;
    }

    function exit(uint256 amount) external {
        inside[msg.sender] -= amount;
        uint256 fee = (amount * toll) / 10_000;
        collected += fee;
        coin.safeTransfer(msg.sender, amount - fee);
    }

    function collect(address to) external onlyOwner {
        uint256 amount = collected;
        collected = 0;
        coin.safeTransfer(to, amount);
    }
}

contract CouncilVault is Pausable {
    using SafeERC20 for IERC20;

    IERC20 public immutable coin;
    address public immutable council;
    mapping(address => uint256) public held;

    modifier onlyCouncil() {
        require(msg.sender == council, "council");
        _;
    }

    constructor(IERC20 coin_, address council_) {
        coin = coin_;
        council = council_;
    }

    function deposit(uint256 amount) external whenNotPaused {
        coin.safeTransferFrom(msg.sender, address(this), amount);
        held[msg.sender] += amount;
    }

    function withdraw(uint256 amount) external whenNotPaused {
        held[msg.sender] -= amount;
        coin.safeTransfer(msg.sender, amount);
    }

    function pause() external onlyCouncil {
        _pause();
    }

    function unpause() external onlyCouncil {
        _unpause();
    }
}

interface IGrainPair {
    function grainReserve() external view returns (uint256);
    function dollarReserve() external view returns (uint256);
}

contract SpotBond {
    using SafeERC20 for IERC20;

    IERC20 public immutable grain;
    IERC20 public immutable dollar;
    IGrainPair public immutable pair;
    address public immutable treasury;
    uint256 public immutable floorPrice;

    event Bought(address indexed who, uint256 grains, uint256 dollars);

    constructor(IERC20 grain_, IERC20 dollar_, IGrainPair pair_) {
        grain = grain_;
        dollar = dollar_;
        pair = pair_;
        treasury = msg.sender;
        floorPrice = (1e18 * pair_.dollarReserve() * 85) / (pair_.grainReserve() * 100);
    }

    function quote(uint256 grains) public view returns (uint256) {
        uint256 spot = (grains * pair.dollarReserve()) / pair.grainReserve();
        uint256 least = (grains * floorPrice) / 1e18;
        uint256 cost = (spot * 97) / 100;
        return (cost > least ? cost : least) + 1;
    }

    function buy(uint256 grains, uint256 maxDollars) external {
        uint256 cost = quote(grains);
        require(cost <= maxDollars, "price moved");
        dollar.safeTransferFrom(msg.sender, treasury, cost);
        grain.safeTransfer(msg.sender, grains);
        emit Bought(msg.sender, grains, cost);
    }

    function takeStock(uint256 grains) external {
        require(msg.sender == treasury, "treasury");
        grain.safeTransfer(treasury, grains);
    }
}

contract MintedCrown is ERC20, Ownable {
    constructor() ERC20("Minted Crown", "CROWN") Ownable(msg.sender) {
        _mint(msg.sender, 1_000_000e18);
    }

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    function burn(uint256 amount) external {
        _burn(msg.sender, amount);
    }
}

contract QuayBody is Initializable, UUPSUpgradeable {
    using SafeERC20 for IERC20;

    IERC20 public coin;
    address public owner;
    mapping(address => uint256) public moored;

    constructor() {
        _disableInitializers();
    }

    function initialize(address owner_, IERC20 coin_) external initializer {
        owner = owner_;
        coin = coin_;
    }

    function moor(uint256 amount) external {
        coin.safeTransferFrom(msg.sender, address(this), amount);
        moored[msg.sender] += amount;
    }

    function castOff(uint256 amount) external {
        moored[msg.sender] -= amount;
        coin.safeTransfer(msg.sender, amount);
    }

    function _authorizeUpgrade(address) internal view override {
        require(msg.sender == owner, "owner");
    }
}

contract QuayShell is ERC1967Proxy {
    constructor(address body, address owner, address coin)
        ERC1967Proxy(body, abi.encodeCall(QuayBody.initialize, (owner, IERC20(coin))))
    {}

    function moor(uint256) external {
        _fallback();
    }

    function castOff(uint256) external {
        _fallback();
    }
}

contract GatedStake is Ownable, Pausable {
    using SafeERC20 for IERC20;

    IERC20 public immutable coin;
    mapping(address => uint256) public stakes;

    constructor(IERC20 coin_) Ownable(msg.sender) {
        coin = coin_;
    }

    function stake(uint256 amount) external whenNotPaused {
        coin.safeTransferFrom(msg.sender, address(this), amount);
        stakes[msg.sender] += amount;
    }

    function unstake(uint256 amount) external whenNotPaused {
        stakes[msg.sender] -= amount;
        coin.safeTransfer(msg.sender, amount);
    }

    function pause() external onlyOwner {
        _pause();
    }

    function unpause() external onlyOwner {
        _unpause();
    }
}
