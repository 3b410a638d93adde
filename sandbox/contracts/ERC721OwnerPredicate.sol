// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAccessPredicate, IERC165, ToolRegistry8257} from "./ToolRegistry8257.sol";

interface IBalance {
    function balanceOf(address owner) external view returns (uint256);
}

/// Grants access to whoever holds a token of one of the collections that the tool's creator named.
contract ERC721OwnerPredicate is IAccessPredicate, IERC165 {
    /// A constant where the original has an immutable: the code is placed without its constructor running.
    ToolRegistry8257 public constant REGISTRY = ToolRegistry8257(0x265BB2DBFC0A8165C9A1941Eb1372F349baD2cf1);

    string public constant name = "ERC721OwnerPredicate";

    /// Selector of the marker function `erc721Holding()`.
    bytes4 private constant ERC721_HOLDING = 0xbdf8c428;
    uint8 private constant ANY_OF = 1;
    uint256 private constant MOST_COLLECTIONS = 10;

    mapping(uint256 => address[]) private collectionsOf;

    event CollectionsSet(uint256 indexed toolId, address[] collections);

    error CallerIsNotToolCreator(uint256 toolId, address caller);
    error TooManyCollections(uint256 count);
    error CollectionHasNoCode(address collection);

    function setCollections(uint256 toolId, address[] calldata collections) external {
        if (REGISTRY.getToolConfig(toolId).creator != msg.sender) revert CallerIsNotToolCreator(toolId, msg.sender);
        if (collections.length > MOST_COLLECTIONS) revert TooManyCollections(collections.length);
        for (uint256 i = 0; i < collections.length; i++) {
            if (collections[i].code.length == 0) revert CollectionHasNoCode(collections[i]);
        }
        collectionsOf[toolId] = collections;
        emit CollectionsSet(toolId, collections);
    }

    function getCollections(uint256 toolId) external view returns (address[] memory) {
        return collectionsOf[toolId];
    }

    function hasAccess(uint256 toolId, address account, bytes calldata) external view returns (bool) {
        if (account == address(0)) return false;
        address[] storage collections = collectionsOf[toolId];
        for (uint256 i = 0; i < collections.length; i++) {
            if (IBalance(collections[i]).balanceOf(account) > 0) return true;
        }
        return false;
    }

    function getRequirements(uint256 toolId)
        external
        view
        returns (AccessRequirement[] memory requirements, uint8 logic)
    {
        address[] storage collections = collectionsOf[toolId];
        requirements = new AccessRequirement[](collections.length);
        for (uint256 i = 0; i < collections.length; i++) {
            requirements[i] =
                AccessRequirement(ERC721_HOLDING, abi.encode(collections[i]), "Holds a token of this collection");
        }
        logic = ANY_OF;
    }

    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IERC165).interfaceId || interfaceId == type(IAccessPredicate).interfaceId;
    }
}
