// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Burnable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// The access pass: one token, one holder, no expiry.
contract ToolPass is ERC721 {
    address public immutable owner;
    uint256 public totalSupply;

    error NotOwner(address caller);

    constructor() ERC721("Tollgate Tool Pass", "TOLLPASS") {
        owner = msg.sender;
    }

    function mint(address to) external returns (uint256 tokenId) {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        tokenId = ++totalSupply;
        _mint(to, tokenId);
    }
}

/// The project's own token in the sandbox, with a fixed supply that can only shrink.
contract NativeToken is ERC20, ERC20Burnable {
    constructor(uint256 supply) ERC20("Tollgate Demo Token", "TOLL") {
        _mint(msg.sender, supply);
    }
}

/// The staking vault of the project's own token.
contract StakedNative is ERC4626 {
    constructor(NativeToken token) ERC20("Staked Tollgate Demo Token", "sTOLL") ERC4626(token) {}
}

/// A stand-in for a token that exists on the real chain. Its code is placed at the real address without a constructor,
/// so the names are functions and anybody may mint: nothing here has a value.
abstract contract PlacedToken is ERC20 {
    constructor() ERC20("", "") {}

    function mint(address to, uint256 value) external {
        _mint(to, value);
    }
}

contract SandboxAERO is PlacedToken {
    function name() public pure override returns (string memory) {
        return "Aerodrome";
    }

    function symbol() public pure override returns (string memory) {
        return "AERO";
    }
}

contract SandboxCbBTC is PlacedToken {
    function name() public pure override returns (string memory) {
        return "Coinbase Wrapped BTC";
    }

    function symbol() public pure override returns (string memory) {
        return "cbBTC";
    }

    function decimals() public pure override returns (uint8) {
        return 8;
    }
}

/// Ether as a token, at the address the chain gives it.
contract SandboxWETH is ERC20 {
    event Deposit(address indexed dst, uint256 wad);
    event Withdrawal(address indexed src, uint256 wad);

    constructor() ERC20("", "") {}

    function name() public pure override returns (string memory) {
        return "Wrapped Ether";
    }

    function symbol() public pure override returns (string memory) {
        return "WETH";
    }

    receive() external payable {
        deposit();
    }

    function deposit() public payable {
        _mint(msg.sender, msg.value);
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(uint256 wad) external {
        _burn(msg.sender, wad);
        emit Withdrawal(msg.sender, wad);
        (bool sent,) = msg.sender.call{value: wad}("");
        require(sent, "WETH: the receiver refused the ether");
    }
}
