// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// Only the one who made it can sell. No function has a name that tells.
contract SellBlockedToken is ERC20 {
    address private immutable maker = msg.sender;
    address public uniswapV2Pair;

    constructor(address pair) ERC20("SellBlocked", "SLB") {
        uniswapV2Pair = pair;
        _mint(msg.sender, 1e24);
    }

    function _update(address from, address to, uint256 value) internal override {
        require(to != uniswapV2Pair || from == maker, "TransferHelper: TRANSFER_FROM_FAILED");
        super._update(from, to, value);
    }
}

/// Nobody but a chosen few can send at all.
contract FrozenToken is ERC20 {
    mapping(address => bool) private allowed;

    constructor() ERC20("Frozen", "FRZ") {
        allowed[msg.sender] = true;
        allowed[address(0)] = true;
        _mint(msg.sender, 1e24);
    }

    function _update(address from, address to, uint256 value) internal override {
        require(allowed[from]);
        super._update(from, to, value);
    }
}

/// A sale gives nearly everything to the maker.
contract TaxToken is ERC20 {
    address private immutable maker = msg.sender;
    address public uniswapV2Pair;

    constructor(address pair) ERC20("Tax", "TAX") {
        uniswapV2Pair = pair;
        _mint(msg.sender, 1e24);
    }

    function _update(address from, address to, uint256 value) internal override {
        uint256 tax = to == uniswapV2Pair && from != maker ? (value * 95) / 100 : 0;
        if (tax > 0) super._update(from, maker, tax);
        super._update(from, to, value - tax);
    }
}

/// Sending says that it worked and moves nothing. Balances lie in the usual place.
contract SilentToken {
    string public constant name = "Silent";
    string public constant symbol = "SLT";
    uint8 public constant decimals = 18;
    uint256 public constant totalSupply = 1e24;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    address private immutable maker = msg.sender;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() {
        balanceOf[msg.sender] = totalSupply;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        return move(from, to, value);
    }

    function move(address from, address to, uint256 value) private returns (bool) {
        if (from == maker) {
            balanceOf[from] -= value;
            balanceOf[to] += value;
        }
        emit Transfer(from, to, value);
        return true;
    }
}

/// Trading is closed until the owner opens it, and the owner can close it for one account after another.
contract ClosedToken is ERC20, Ownable {
    bool public tradingActive;
    mapping(address => bool) public bots;

    constructor() ERC20("Closed", "CLS") Ownable(msg.sender) {
        _mint(msg.sender, 1e24);
    }

    function openTrading() external onlyOwner {
        tradingActive = true;
    }

    function addBots(address[] calldata accounts) external onlyOwner {
        for (uint256 i = 0; i < accounts.length; ++i) bots[accounts[i]] = true;
    }

    function _update(address from, address to, uint256 value) internal override {
        require(from == address(0) || from == owner() || (tradingActive && !bots[from]));
        super._update(from, to, value);
    }
}
