// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
/// Makes payment splitters as minimal proxies.
contract LadleFactory { address public immutable model = address(new Ladle()); address public last; event Poured(address ladle);
    function pour(address payable[] calldata who, uint256[] calldata parts) external { last = Clones.clone(model); Ladle(payable(last)).fill(who, parts); emit Poured(last); } }
contract Ladle {
    address payable[] public who; mapping(address => uint256) public part; mapping(address => uint256) public had; uint256 public parts; uint256 public paid; bool private full;
    constructor() { full = true; }
    receive() external payable {}
    function fill(address payable[] calldata w, uint256[] calldata p) external { require(!full && w.length == p.length && w.length > 0); full = true; for (uint256 i; i < w.length; i++) { require(part[w[i]] == 0 && p[i] > 0); part[w[i]] = p[i]; parts += p[i]; who.push(w[i]); } }
    function due(address w) public view returns (uint256) { return (address(this).balance + paid) * part[w] / parts - had[w]; }
    function serve(address payable w) external { uint256 v = due(w); require(v > 0, "nothing"); had[w] += v; paid += v; (bool ok,) = w.call{value: v}(""); require(ok); }
}
