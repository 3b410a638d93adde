import { defineKnowledge, lines, phrases, say, sayIf } from '../../../src/tool/knowledge.ts'
import type tool from './tool.ts'

export default defineKnowledge<typeof tool>({
  category: 'identity',
  questions: lines(`
    is this agent certified
    does the agent hold a certificate that was not revoked
    has this agent passed certification
    check the certificate of this address
    is its certificate still valid
    was the certificate revoked or has it expired
    proof of certification for a wallet
    what is the certificate hash of the agent
    verify that an agent is really certified
    does it carry a valid attestation
    does it have a badge
    is the badge real
    it says it is certified is that true
    does the agent have papers
    did it pass the test
    is its seal of approval still good
    somebody claims to be certified
    has its licence been taken away
  `),
  keywords: phrases(`
    certified, certification, certificate, cert, cert hash, attestation, battery hash, agent certified, passed
    certification, verified agent, certified on chain, onchain cert, proof of certification, certificate revoked, certificate expired
  `),
  inputs: { address: { from: 'wallet' } },
  summary: (cert) =>
    cert.isCertified
      ? say`${cert.address} is certified. ${cert.note}`
      : say`${cert.address} holds no certificate that counts. ${cert.note}`,
  points: [
    { about: 'hash', say: (cert) => sayIf`The certificate’s hash is ${cert.certHash}.` },
    { about: 'registry where contract', say: (cert) => sayIf`It was looked up in the registry ${cert.registry}.` },
  ],
  provides: [{ kind: 'contract', at: 'registry', words: 'registry contract' }],
})
