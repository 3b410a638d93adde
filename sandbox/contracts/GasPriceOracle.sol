// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// What an OP-stack chain says about the fee for its data on layer 1. The figures are fixed and of a plausible size.
contract GasPriceOracle {
    string public constant version = "1.4.0";
    bool public constant isEcotone = true;
    bool public constant isFjord = true;
    bool public constant isIsthmus = true;
    uint256 public constant decimals = 6;
    uint32 public constant baseFeeScalar = 2269;
    uint32 public constant blobBaseFeeScalar = 1055762;
    uint256 public constant l1BaseFee = 450_000_000;
    uint256 public constant blobBaseFee = 1_200_000;

    function gasPrice() external view returns (uint256) {
        return block.basefee;
    }

    function baseFee() external view returns (uint256) {
        return block.basefee;
    }

    function getL1Fee(bytes memory data) external pure returns (uint256) {
        return feeOf(data.length + 68);
    }

    function getL1FeeUpperBound(uint256 unsignedTxSize) external pure returns (uint256) {
        return feeOf(unsignedTxSize + 68);
    }

    function getOperatorFee(uint256) external pure returns (uint256) {
        return 0;
    }

    function feeOf(uint256 size) private pure returns (uint256) {
        uint256 scaled = uint256(baseFeeScalar) * 16 * l1BaseFee + uint256(blobBaseFeeScalar) * blobBaseFee;
        return size * scaled / 1e6;
    }
}
