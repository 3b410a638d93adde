// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
contract OtterToken is ERC20, Initializable {
    constructor() ERC20("", "") { _disableInitializers(); }
    function name() public pure override returns (string memory) { return "Otter Protocol"; }
    function symbol() public pure override returns (string memory) { return "OTTR"; }
    function initialize(address treasury) external initializer { _mint(treasury, 100_000_000e18); }
}
