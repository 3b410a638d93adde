// SPDX-License-Identifier: BUSL-1.1
pragma solidity ^0.8.20;
interface IPW { function transfer(address, uint256) external returns (bool); function transferFrom(address, address, uint256) external returns (bool); }
/// Lend Ether against a token at 50 % of its value; positions under water may be bought by anybody.
contract Pawnshop {
    IPW public immutable token; address public feed; uint256 public price; mapping(address => uint256) public pledge; mapping(address => uint256) public debt;
    event Price(uint256 p); event Liquidated(address indexed who, address indexed by, uint256 pledge, uint256 debt);
    constructor(IPW t, uint256 p) payable { token = t; price = p; feed = msg.sender; }
    function post(uint256 p) external { require(msg.sender == feed, "feed"); price = p; emit Price(p); }
    function pawn(uint256 v) external { pledge[msg.sender] += v; require(token.transferFrom(msg.sender, address(this), v)); }
    function borrow(uint256 v) external { debt[msg.sender] += v; require(_ok(msg.sender), "too much"); (bool ok,) = msg.sender.call{value: v}(""); require(ok); }
    function repay() external payable { debt[msg.sender] -= msg.value; }
    function redeem(uint256 v) external { pledge[msg.sender] -= v; require(_ok(msg.sender), "debt"); require(token.transfer(msg.sender, v)); }
    function _ok(address w) private view returns (bool) { return debt[w] * 2e18 <= pledge[w] * price; }
    function liquidate(address w) external payable { require(!_ok(w), "healthy"); uint256 d = debt[w]; uint256 p = pledge[w]; require(msg.value == d); debt[w] = 0; pledge[w] = 0; require(token.transfer(msg.sender, p)); emit Liquidated(w, msg.sender, p, d); }
}
