// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

interface IERC165 {
    function supportsInterface(bytes4 interfaceId) external view returns (bool);
}

interface IAccessPredicate {
    struct AccessRequirement {
        bytes4 kind;
        bytes data;
        string label;
    }

    function hasAccess(uint256 toolId, address account, bytes calldata data) external view returns (bool);
    function name() external view returns (string memory);
    function getRequirements(uint256 toolId) external view returns (AccessRequirement[] memory requirements, uint8 logic);
}

/// The ERC-8257 registry of agent tools, version 0.2. It has no constructor, so that its code can be placed at the
/// address the registry has on every chain.
contract ToolRegistry8257 {
    struct ToolConfig {
        address creator;
        string metadataURI;
        bytes32 manifestHash;
        address accessPredicate;
    }

    string public constant name = "ToolRegistry";
    string public constant version = "0.2";

    bytes4 private constant REGISTRY_ID = 0xf1dc8075;
    bytes4 private constant PREDICATE_ID = 0xbdf9dc18;
    uint256 private constant PROBE_GAS = 30_000;
    uint256 private constant PREDICATE_GAS = 200_000;

    /// The highest id ever given; ids start at 1 and are never used twice.
    uint256 public toolCount;
    mapping(uint256 => ToolConfig) private configs;
    mapping(uint256 => bool) private deregistered;

    event ToolRegistered(
        uint256 indexed toolId,
        address indexed creator,
        address indexed accessPredicate,
        string metadataURI,
        bytes32 manifestHash
    );
    event ToolMetadataUpdated(uint256 indexed toolId, string newURI, bytes32 newHash);
    event AccessPredicateUpdated(uint256 indexed toolId, address indexed newPredicate);
    event ToolDeregistered(uint256 indexed toolId);

    error ToolNotFound(uint256 toolId);
    error NotToolCreator(uint256 toolId, address caller);
    error InvalidMetadataURI();
    error InvalidManifestHash();
    error InvalidAccessPredicate(address predicate);
    error ToolIsDeregistered(uint256 toolId);

    function registerTool(string calldata metadataURI, bytes32 manifestHash, address accessPredicate)
        external
        returns (uint256 toolId)
    {
        requireMetadata(metadataURI, manifestHash);
        requirePredicate(accessPredicate);
        toolId = ++toolCount;
        configs[toolId] = ToolConfig(msg.sender, metadataURI, manifestHash, accessPredicate);
        emit ToolRegistered(toolId, msg.sender, accessPredicate, metadataURI, manifestHash);
    }

    function deregisterTool(uint256 toolId) external {
        own(toolId);
        deregistered[toolId] = true;
        emit ToolDeregistered(toolId);
    }

    function updateToolMetadata(uint256 toolId, string calldata newURI, bytes32 newHash) external {
        ToolConfig storage config = own(toolId);
        requireMetadata(newURI, newHash);
        config.metadataURI = newURI;
        config.manifestHash = newHash;
        emit ToolMetadataUpdated(toolId, newURI, newHash);
    }

    function setAccessPredicate(uint256 toolId, address newPredicate) external {
        ToolConfig storage config = own(toolId);
        requirePredicate(newPredicate);
        config.accessPredicate = newPredicate;
        emit AccessPredicateUpdated(toolId, newPredicate);
    }

    function getToolConfig(uint256 toolId) external view returns (ToolConfig memory) {
        return live(toolId);
    }

    function hasAccess(uint256 toolId, address account, bytes calldata data) external view returns (bool) {
        address predicate = live(toolId).accessPredicate;
        return predicate == address(0) || IAccessPredicate(predicate).hasAccess(toolId, account, data);
    }

    /// Never throws for a broken predicate: (false, false) says it did not answer. An unknown tool still throws.
    function tryHasAccess(uint256 toolId, address account, bytes calldata data)
        external
        view
        returns (bool ok, bool granted)
    {
        address predicate = live(toolId).accessPredicate;
        if (predicate == address(0)) return (true, true);
        return askBool(predicate, PREDICATE_GAS, abi.encodeCall(IAccessPredicate.hasAccess, (toolId, account, data)));
    }

    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IERC165).interfaceId || interfaceId == REGISTRY_ID;
    }

    function live(uint256 toolId) private view returns (ToolConfig storage) {
        if (toolId == 0 || toolId > toolCount) revert ToolNotFound(toolId);
        if (deregistered[toolId]) revert ToolIsDeregistered(toolId);
        return configs[toolId];
    }

    function own(uint256 toolId) private view returns (ToolConfig storage config) {
        config = live(toolId);
        if (config.creator != msg.sender) revert NotToolCreator(toolId, msg.sender);
    }

    function requireMetadata(string calldata uri, bytes32 hash) private pure {
        if (bytes(uri).length == 0 || bytes(uri).length > 2048) revert InvalidMetadataURI();
        if (hash == 0) revert InvalidManifestHash();
    }

    /// A contract that speaks ERC-165 must say that it is a predicate; one that does not speak it is taken at its word,
    /// and so is an address without code, which will then answer nothing.
    function requirePredicate(address predicate) private view {
        if (predicate == address(0) || predicate.code.length == 0) return;
        (bool speaks, bool yes) = advertises(predicate, type(IERC165).interfaceId);
        (bool answers, bool claimsAll) = advertises(predicate, 0xffffffff);
        if (!speaks || !yes || !answers || claimsAll) return;
        (, bool isPredicate) = advertises(predicate, PREDICATE_ID);
        if (!isPredicate) revert InvalidAccessPredicate(predicate);
    }

    function advertises(address target, bytes4 interfaceId) private view returns (bool ok, bool answer) {
        return askBool(target, PROBE_GAS, abi.encodeCall(IERC165.supportsInterface, (interfaceId)));
    }

    /// Only an exact 32-byte 0 or 1 counts as an answer.
    function askBool(address target, uint256 gasLimit, bytes memory callData)
        private
        view
        returns (bool ok, bool answer)
    {
        uint256 word;
        uint256 size;
        assembly ("memory-safe") {
            ok := staticcall(gasLimit, target, add(callData, 0x20), mload(callData), 0x00, 0x20)
            size := returndatasize()
            word := mload(0x00)
        }
        if (!ok || size != 32 || word > 1) return (false, false);
        return (true, word == 1);
    }
}
