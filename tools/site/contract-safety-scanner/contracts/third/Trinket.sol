// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol"; import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol"; import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
contract Trinket is ERC20, Ownable {
    string public contractURI; uint256 public adminFee; mapping(address => bool) public isBot; address public taxWallet; event Bot(address w, bool on);
    constructor() ERC20("Trinket", "TRNK") Ownable(msg.sender) { _mint(address(this), 1 ether); _transfer(address(this), msg.sender, 1 ether); _mint(msg.sender, 999_999 ether); }
    /// labels for the web page only
    function setBot(address w, bool on) external onlyOwner { isBot[w] = on; emit Bot(w, on); } function setAdminFee(uint256 f) external onlyOwner { adminFee = f; } function setTaxWallet(address w) external onlyOwner { taxWallet = w; } function setContractURI(string calldata u) external onlyOwner { contractURI = u; }
    /// tokens sent to this contract by mistake
    function rescue(IERC20 t, uint256 v) external onlyOwner { t.transfer(msg.sender, v); }
}
