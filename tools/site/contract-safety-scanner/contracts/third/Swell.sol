// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
/// Rebasing Ether: balances are shares of the Ether held, so gifts raise everybody's balance. Nobody owns it.
contract Swell {
    string public constant name = "Swell Ether"; string public constant symbol = "swETH"; uint8 public constant decimals = 18; uint256 public totalShares; mapping(address => uint256) public sharesOf; mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value); event Rebase(uint256 gift);
    receive() external payable { emit Rebase(msg.value); }
    function totalSupply() public view returns (uint256) { return address(this).balance; }
    function _shares(uint256 v, uint256 pool) private view returns (uint256) { return v * (totalShares + 1000) / (pool + 1); }
    function balanceOf(address w) public view returns (uint256) { return sharesOf[w] * (totalSupply() + 1) / (totalShares + 1000); }
    function submit() external payable { uint256 s = _shares(msg.value, address(this).balance - msg.value); sharesOf[msg.sender] += s; totalShares += s; emit Transfer(address(0), msg.sender, msg.value); }
    function leave(uint256 v) external { uint256 s = _up(v); sharesOf[msg.sender] -= s; totalShares -= s; emit Transfer(msg.sender, address(0), v); (bool ok,) = msg.sender.call{value: v}(""); require(ok); }
    function _up(uint256 v) private view returns (uint256 s) { s = _shares(v, totalSupply()); if (s * (totalSupply() + 1) < v * (totalShares + 1000)) s++; }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address t, uint256 v) external returns (bool) { _m(msg.sender, t, v); return true; }
    function transferFrom(address f, address t, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; _m(f, t, v); return true; }
    function _m(address f, address t, uint256 v) private { uint256 s = _up(v); sharesOf[f] -= s; sharesOf[t] += s; emit Transfer(f, t, v); }
}
