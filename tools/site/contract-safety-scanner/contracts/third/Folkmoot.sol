// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
/// Votes are locked tokens; a proposal runs five days, needs a tenth of the supply and a majority, and waits two more days.
contract Folkmoot {
    FolkToken public immutable token; struct P { address to; bytes data; uint256 start; uint256 yes; uint256 no; bool done; } P[] public proposals; mapping(address => uint256) public locked; mapping(address => uint256) public lockedSince; mapping(address => uint256) public freeAt; mapping(uint256 => mapping(address => bool)) public voted;
    event Proposed(uint256 id); event Ran(uint256 id);
    constructor() { token = new FolkToken(msg.sender); }
    function enter(uint256 v) external { token.transferFrom(msg.sender, address(this), v); locked[msg.sender] += v; lockedSince[msg.sender] = block.timestamp; }
    function exit() external { require(block.timestamp >= freeAt[msg.sender], "voting"); uint256 v = locked[msg.sender]; locked[msg.sender] = 0; token.transfer(msg.sender, v); }
    function propose(address to, bytes calldata d) external returns (uint256 id) { require(locked[msg.sender] * 100 >= token.totalSupply(), "1 %"); id = proposals.length; proposals.push(); P storage p = proposals[id]; p.to = to; p.data = d; p.start = block.timestamp; emit Proposed(id); }
    function vote(uint256 id, bool yes) external { P storage p = proposals[id]; require(block.timestamp < p.start + 5 days && !voted[id][msg.sender] && lockedSince[msg.sender] < p.start, "no vote"); voted[id][msg.sender] = true; if (yes) p.yes += locked[msg.sender]; else p.no += locked[msg.sender]; if (freeAt[msg.sender] < p.start + 5 days) freeAt[msg.sender] = p.start + 5 days; }
    function run(uint256 id) external { P storage p = proposals[id]; require(!p.done && block.timestamp >= p.start + 7 days && p.yes > p.no && p.yes * 10 >= token.totalSupply(), "not passed"); p.done = true; (bool ok,) = p.to.call(p.data); require(ok); emit Ran(id); }
}
contract FolkToken {
    string public constant name = "Folk"; string public constant symbol = "FOLK"; uint8 public constant decimals = 18; uint256 public totalSupply; address public immutable moot; mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
    constructor(address first) { moot = msg.sender; _mint(first, 1_000_000 ether); }
    function _mint(address t, uint256 v) private { totalSupply += v; balanceOf[t] += v; emit Transfer(address(0), t, v); }
    function mint(address t, uint256 v) external { require(msg.sender == moot, "moot"); _mint(t, v); }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
    function transfer(address t, uint256 v) external returns (bool) { balanceOf[msg.sender] -= v; balanceOf[t] += v; emit Transfer(msg.sender, t, v); return true; }
    function transferFrom(address f, address t, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; balanceOf[f] -= v; balanceOf[t] += v; emit Transfer(f, t, v); return true; }
}
