// SPDX-License-Identifier: MIT
pragma solidity ^0.8.27;

/// Certificates of agents: the hash of a certificate document and of the battery of tests that the agent passed.
contract AgentCertRegistry {
    struct Certificate {
        bytes32 certHash;
        bytes32 batteryHash;
        uint64 issuedAt;
        uint64 expiresAt;
        bool revoked;
    }

    address public immutable issuer;
    mapping(address => Certificate) private certificates;

    event CertIssued(address indexed agent, bytes32 certHash, bytes32 batteryHash, uint64 expiresAt);
    event CertRevoked(address indexed agent, bytes32 certHash);

    error NotIssuer(address caller);
    error NoCertificate(address agent);

    constructor() {
        issuer = msg.sender;
    }

    modifier onlyIssuer() {
        if (msg.sender != issuer) revert NotIssuer(msg.sender);
        _;
    }

    /// An `expiresAt` of zero never expires.
    function issue(address agent, bytes32 certHash, bytes32 batteryHash, uint64 expiresAt) external onlyIssuer {
        certificates[agent] = Certificate(certHash, batteryHash, uint64(block.timestamp), expiresAt, false);
        emit CertIssued(agent, certHash, batteryHash, expiresAt);
    }

    function revoke(address agent) external onlyIssuer {
        Certificate storage certificate = certificates[agent];
        if (certificate.issuedAt == 0) revert NoCertificate(agent);
        certificate.revoked = true;
        emit CertRevoked(agent, certificate.certHash);
    }

    function certOf(address agent)
        external
        view
        returns (bytes32 certHash, bytes32 batteryHash, uint64 issuedAt, uint64 expiresAt, bool revoked)
    {
        Certificate storage certificate = certificates[agent];
        return (
            certificate.certHash,
            certificate.batteryHash,
            certificate.issuedAt,
            certificate.expiresAt,
            certificate.revoked
        );
    }
}
