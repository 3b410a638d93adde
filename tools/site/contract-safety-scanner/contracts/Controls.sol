// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// Tokens whose owner can do more than its holders.
contract MintableToken is ERC20, Ownable {
    constructor() ERC20("Mintable", "MNT") Ownable(msg.sender) {
        _mint(msg.sender, 1e24);
    }

    function mint(address to, uint256 value) external onlyOwner {
        _mint(to, value);
    }
}

contract PausableToken is ERC20, Ownable {
    bool public paused;

    constructor() ERC20("Pausable", "PSB") Ownable(msg.sender) {
        _mint(msg.sender, 1e24);
    }

    function pause() external onlyOwner {
        paused = true;
    }

    function unpause() external onlyOwner {
        paused = false;
    }

    function _update(address from, address to, uint256 value) internal override {
        require(!paused, "paused");
        super._update(from, to, value);
    }
}

contract BlacklistToken is ERC20, Ownable {
    mapping(address => bool) public isBlacklisted;

    constructor() ERC20("Blacklist", "BLK") Ownable(msg.sender) {
        _mint(msg.sender, 1e24);
    }

    function blacklist(address account) external onlyOwner {
        isBlacklisted[account] = true;
    }

    function unBlacklist(address account) external onlyOwner {
        isBlacklisted[account] = false;
    }

    function _update(address from, address to, uint256 value) internal virtual override {
        require(!isBlacklisted[from] && !isBlacklisted[to], "blacklisted");
        super._update(from, to, value);
    }
}

/// A stablecoin's usual powers in one hand.
contract PowerfulToken is BlacklistToken {
    bool public paused;

    function pause() external onlyOwner {
        paused = true;
    }

    function mint(address to, uint256 value) external onlyOwner {
        _mint(to, value);
    }

    function _update(address from, address to, uint256 value) internal override {
        require(!paused, "paused");
        super._update(from, to, value);
    }
}

/// Everything a launch that is meant to be sold off has, still switched off.
contract LaunchToken is BlacklistToken {
    bool public tradingActive = true;
    uint256 public maxTransactionAmount = type(uint256).max;
    uint256 public sellFee;

    function enableTrading() external onlyOwner {
        tradingActive = true;
    }

    function setMaxTxAmount(uint256 amount) external onlyOwner {
        maxTransactionAmount = amount;
    }

    function setSellFee(uint256 fee) external onlyOwner {
        sellFee = fee;
    }

    function mint(address to, uint256 value) external onlyOwner {
        _mint(to, value);
    }
}

contract SelfDestructing is Ownable {
    constructor() payable Ownable(msg.sender) {}

    function close() external onlyOwner {
        selfdestruct(payable(msg.sender));
    }
}

/// Runs any code that its owner names.
contract Delegating is Ownable {
    constructor() Ownable(msg.sender) {}

    function execute(address target, bytes calldata data) external onlyOwner returns (bool done) {
        (done,) = target.delegatecall(data);
    }
}

contract DelegatingAndDestructing is Delegating {
    constructor() payable {}

    function close() external {
        require(tx.origin == owner());
        selfdestruct(payable(owner()));
    }
}
