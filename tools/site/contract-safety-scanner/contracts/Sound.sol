// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC20Votes} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Votes.sol";
import {ERC20Burnable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
import {ERC20Pausable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Pausable.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";
import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {Base20, Owned20} from "./Incidents.sol";

contract FixedToken is ERC20 {
    constructor() ERC20("Fixed", "FIX") {
        _mint(msg.sender, 1_000_000 ether);
    }
}

contract VotesToken is ERC20, ERC20Permit, ERC20Votes {
    constructor() ERC20("Votes", "VOTE") ERC20Permit("Votes") {
        _mint(msg.sender, 1_000_000 ether);
    }

    function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Votes) {
        super._update(from, to, value);
    }

    function nonces(address who) public view override(ERC20Permit, Nonces) returns (uint256) {
        return super.nonces(who);
    }
}

contract BurnableToken is ERC20Burnable {
    constructor() ERC20("Burnable", "BRN") {
        _mint(msg.sender, 1_000_000 ether);
    }
}

contract OwnedMintToken is ERC20, Ownable {
    constructor(address owner) ERC20("Owned", "OWN") Ownable(owner) {
        _mint(msg.sender, 1_000_000 ether);
    }

    function mint(address to, uint256 value) external onlyOwner {
        _mint(to, value);
    }
}

contract OwnedPauseToken is ERC20Pausable, Ownable {
    constructor(address owner) ERC20("Pausable", "PSE") Ownable(owner) {
        _mint(msg.sender, 1_000_000 ether);
    }

    function pause() external onlyOwner {
        _pause();
    }
}

contract RoleToken is ERC20, AccessControl {
    bytes32 public constant MINTER = keccak256("MINTER");

    constructor(address admin, address minter) ERC20("Roles", "ROL") {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(MINTER, minter);
        _mint(msg.sender, 1_000_000 ether);
    }

    function mint(address to, uint256 value) external onlyRole(MINTER) {
        _mint(to, value);
    }
}

contract SoundVault is ERC4626 {
    constructor(IERC20 asset) ERC20("Vault", "VLT") ERC4626(asset) {}
}

contract SoundNft is ERC721, Ownable {
    uint256 private next;

    constructor(address owner) ERC721("Nft", "NFT") Ownable(owner) {}

    function mint(address to) external onlyOwner {
        _mint(to, ++next);
    }
}

contract Timelock48 is TimelockController {
    constructor(address[] memory people) TimelockController(2 days, people, people, address(0)) {}
}

/// As a Safe: owners, a threshold, and execution by signatures.
contract SafeMultisig {
    mapping(address => bool) private isOwner;
    address[] private owners;
    uint256 private threshold;
    uint256 public nonce;

    constructor(address[] memory owners_, uint256 threshold_) payable {
        owners = owners_;
        threshold = threshold_;
        for (uint256 i = 0; i < owners_.length; ++i) isOwner[owners_[i]] = true;
    }

    function getOwners() external view returns (address[] memory) {
        return owners;
    }

    function getThreshold() external view returns (uint256) {
        return threshold;
    }

    function execTransaction(address to, uint256 value, bytes calldata data, bytes calldata signatures) external {
        bytes32 digest = keccak256(abi.encode(address(this), to, value, data, nonce++));
        require(signatures.length >= threshold * 65);
        address last;
        for (uint256 i = 0; i < threshold; ++i) {
            (uint8 v, bytes32 r, bytes32 s) = split(signatures[i * 65:(i + 1) * 65]);
            address signer = ecrecover(digest, v, r, s);
            require(signer > last && isOwner[signer]);
            last = signer;
        }
        (bool ok,) = to.call{value: value}(data);
        require(ok);
    }

    function split(bytes calldata signature) private pure returns (uint8 v, bytes32 r, bytes32 s) {
        return (uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
    }

    receive() external payable {}
}

/// Answers as a multisig does, and obeys one account.
contract FakeMultisig {
    address private immutable boss;

    constructor(address boss_) {
        boss = boss_;
    }

    function getOwners() external pure returns (address[] memory owners) {
        owners = new address[](5);
    }

    function getThreshold() external pure returns (uint256) {
        return 3;
    }

    function exec(address to, bytes calldata data) external {
        require(msg.sender == boss);
        (bool ok,) = to.call(data);
        require(ok);
    }
}

contract Ether9 {
    string public name = "Wrapped Ether";
    string public symbol = "WETH";
    uint8 public decimals = 18;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    receive() external payable {
        deposit();
    }

    function deposit() public payable {
        balanceOf[msg.sender] += msg.value;
    }

    function withdraw(uint256 value) public {
        require(balanceOf[msg.sender] >= value);
        balanceOf[msg.sender] -= value;
        payable(msg.sender).transfer(value);
    }

    function totalSupply() public view returns (uint256) {
        return address(this).balance;
    }

    function approve(address spender, uint256 value) public returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transfer(address to, uint256 value) public returns (bool) {
        return transferFrom(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) public returns (bool) {
        require(balanceOf[from] >= value);
        if (from != msg.sender && allowance[from][msg.sender] != type(uint256).max) {
            require(allowance[from][msg.sender] >= value);
            allowance[from][msg.sender] -= value;
        }
        balanceOf[from] -= value;
        balanceOf[to] += value;
        return true;
    }
}

contract FairBank {
    mapping(address => uint256) public deposits;

    function deposit() external payable {
        deposits[msg.sender] += msg.value;
    }

    function withdraw(uint256 value) external {
        deposits[msg.sender] -= value;
        payable(msg.sender).transfer(value);
    }
}

/// The maker collects tips; nobody else has anything in it.
contract TipJar {
    address public immutable maker = msg.sender;

    receive() external payable {}

    function collect() external {
        payable(maker).transfer(address(this).balance);
    }
}

contract Caller3 {
    function aggregate(address[] calldata to, bytes[] calldata data) external payable {
        for (uint256 i = 0; i < to.length; ++i) {
            (bool ok,) = to[i].call(data[i]);
            require(ok);
        }
    }
}

/// A pool of two tokens, as in Uniswap v2.
contract Pair2 {
    address public token0;
    address public token1;
    uint112 private r0;
    uint112 private r1;

    function initialize(address a, address b) external {
        require(token0 == address(0));
        token0 = a;
        token1 = b;
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (r0, r1, 0);
    }

    function sync() public {
        r0 = uint112(IERC20(token0).balanceOf(address(this)));
        r1 = uint112(IERC20(token1).balanceOf(address(this)));
    }

    function swap(uint256 out0, uint256 out1, address to, bytes calldata) external {
        uint256 k = uint256(r0) * r1;
        if (out0 > 0) IERC20(token0).transfer(to, out0);
        if (out1 > 0) IERC20(token1).transfer(to, out1);
        sync();
        require(uint256(r0) * r1 >= k, "K");
    }
}

/// Keeps a name for each account; there is no money in it.
contract NameBook {
    mapping(address => string) public names;

    function set(string calldata name) external {
        names[msg.sender] = name;
    }
}

/// Holders' votes move with their tokens; the blacklist's keeper is gone.
contract GoneKeeperToken is Owned20 {
    mapping(address => bool) public blocked;

    function block_(address who) external onlyOwner {
        blocked[who] = true;
    }

    function _move(address from, address to, uint256 value) internal override {
        require(!blocked[from]);
        super._move(from, to, value);
    }
}

/// Prints up to a cap that was reached at the start.
contract CappedOutToken is Owned20 {
    function mint(address to, uint256 value) external onlyOwner {
        require(totalSupply + value <= 1_000_000 ether, "cap");
        bal[to] += value;
        totalSupply += value;
    }
}

/// Burns a part of each transfer, once and for all.
contract DeflatingToken is Base20 {
    function _move(address from, address to, uint256 value) internal override {
        uint256 part = value / 50;
        bal[from] -= part;
        totalSupply -= part;
        super._move(from, to, value - part);
    }
}
