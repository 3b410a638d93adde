// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// A token of a fixed supply and nothing else.
contract PlainToken is ERC20 {
    constructor() ERC20("Plain", "PLN") {
        _mint(msg.sender, 1e24);
    }
}

contract PermitToken is ERC20Permit {
    constructor() ERC20("Permit", "PMT") ERC20Permit("Permit") {
        _mint(msg.sender, 1e24);
    }
}

/// A token whose mint is dead because nobody owns it any more.
contract RenouncedToken is ERC20, Ownable {
    constructor() ERC20("Renounced", "RNC") Ownable(msg.sender) {
        _mint(msg.sender, 1e24);
        renounceOwnership();
    }

    function mint(address to, uint256 value) external onlyOwner {
        _mint(to, value);
    }
}

/// The fee on a transfer is in the open and small.
contract SmallFeeToken is ERC20 {
    address private immutable treasury = msg.sender;

    constructor() ERC20("SmallFee", "SFE") {
        _mint(msg.sender, 1e24);
    }

    function _update(address from, address to, uint256 value) internal override {
        uint256 fee = from == address(0) ? 0 : value / 100;
        if (fee > 0) super._update(from, treasury, fee);
        super._update(from, to, value - fee);
    }
}

contract PlainNft is ERC721("Nft", "NFT") {
    uint256 private count;

    function claim() external {
        _mint(msg.sender, ++count);
    }
}

contract PlainVault is ERC4626 {
    constructor(IERC20 asset) ERC20("Vault", "VLT") ERC4626(asset) {}
}

/// Ether in, the same ether out.
contract WrappedEther {
    mapping(address => uint256) public balanceOf;

    receive() external payable {
        balanceOf[msg.sender] += msg.value;
    }

    function withdraw(uint256 value) external {
        balanceOf[msg.sender] -= value;
        (bool sent,) = msg.sender.call{value: value}("");
        require(sent);
    }
}

contract Escrow is Ownable {
    mapping(address => uint256) public deposits;

    constructor() Ownable(msg.sender) {}

    function deposit() external payable {
        deposits[msg.sender] += msg.value;
    }

    function refund(address payable to) external onlyOwner {
        uint256 value = deposits[to];
        deposits[to] = 0;
        to.transfer(value);
    }
}

/// Holds the bytes of dangerous instructions, as data only.
contract Decoy {
    function pushed() external pure returns (bytes32) {
        return hex"f4fff4fff4fff4fff4fff4fff4fff4fff4fff4fff4fff4fff4fff4fff4fff4ff";
    }

    function small() external pure returns (uint256) {
        return 0xf4ff32f2;
    }

    function stored() external pure returns (bytes memory) {
        return "\x33\xff\x5a\xf4\x32\xf2\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xf4\xf4\xf4\xf4\xf4\xf4";
    }
}

/// Answers as a timelock does.
contract Timelock {
    function getMinDelay() external pure returns (uint256) {
        return 2 days;
    }

    function delayed(address to, bytes calldata data) external returns (bool sent) {
        (sent,) = to.call(data);
    }
}

/// Answers as a multisig does.
contract Multisig {
    function getThreshold() external pure returns (uint256) {
        return 3;
    }

    receive() external payable {}
}
