// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import {ERC4626, ERC20, IERC20, Math} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
/// plain vault
contract StillPond is ERC4626 {
    constructor(IERC20 a) ERC20("Still Pond", "pWGAS") ERC4626(a) {}
    function _decimalsOffset() internal pure override returns (uint8) { return 3; }
}
interface IGrove { function deposit(uint256) external; function withdraw(uint256) external; function held() external view returns (uint256); }
contract Grove { // holds assets for its vault only
    IERC20 immutable t; address immutable v; uint256 public held;
    constructor(IERC20 t_, address v_) { t = t_; v = v_; }
    function deposit(uint256 a) external { t.transferFrom(msg.sender, address(this), a); held += a; }
    function withdraw(uint256 a) external { require(msg.sender == v); held -= a; t.transfer(v, a); }
}
/// vault whose strategy can be changed by its owner (a timelock)
contract OrchardVault is ERC4626, Ownable {
    IGrove public grove; uint256 public exitFeeBps;
    constructor(IERC20 a, address o) ERC20("Orchard Share", "orch") ERC4626(a) Ownable(o) {}
    function setGrove(IGrove g) external onlyOwner { if (address(grove) != address(0)) grove.withdraw(grove.held()); grove = g; }
    function setExitFee(uint256 b) external onlyOwner { require(b <= 50); exitFeeBps = b; }
    function totalAssets() public view override returns (uint256) { return super.totalAssets() + (address(grove) == address(0) ? 0 : grove.held()); }
    function work(uint256 v) external { IERC20(asset()).approve(address(grove), v); grove.deposit(v); }
    function previewRedeem(uint256 s) public view override returns (uint256) { uint256 a = super.previewRedeem(s); return a - a * exitFeeBps / 10_000; }
    function previewWithdraw(uint256 a) public view override returns (uint256) { return super.previewWithdraw(a * 10_000 / (10_000 - exitFeeBps)); }
    function _withdraw(address c, address r, address o, uint256 a, uint256 s) internal override {
        uint256 idle = IERC20(asset()).balanceOf(address(this)); if (idle < a) grove.withdraw(a - idle);
        super._withdraw(c, r, o, a, s);
    }
}
