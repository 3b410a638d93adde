import { z } from 'zod'

import { cleanTextOrNull, defineTool, readAddress, UpstreamError } from '../../../src/tool/tool.ts'
import { namesOf } from './names.ts'
import { judge } from './score.ts'
import { studyOf } from './study.ts'

export default defineTool({
  family: 'site',
  slug: 'contract-safety-scanner',
  name: 'Contract Safety Scanner',
  version: '1.0.0',
  tags: ['contract', 'security', 'honeypot', 'proxy', 'base'],
  description:
    'Scans a contract on Base for danger: unpublished source, upgrades by one account, minting, blacklists, pausing, self-destruct, delegatecall, and whether an ordinary holder can send and sell a token (simulated). Call before approving, buying or depositing. A heuristic score, no audit and no promise. Not for wallets: they are told as not_a_contract.',

  access: { mode: 'paid-or-pass', usd: '0.10' },
  methods: ['GET', 'POST'],
  preferredMethod: 'GET',
  foreignData: true,
  freshness: { mode: 'live' },
  latencySlaMs: 8_000,
  sources: ['https://mainnet.base.org', 'https://base.blockscout.com', 'https://sourcify.dev'],
  untrusted: ['/details/compilerVersion', '/details/contractName', '/details/label'],

  input: z.strictObject({
    address: z
      .string()
      .regex(/^0x[a-fA-F0-9]{40}$/)
      .describe('The contract.'),
  }),

  output: z.strictObject({
    contract: z.string().describe('The address in lower case.'),
    chain: z.literal('base'),
    fetchedAt: z.string().describe('When the oldest part of the answer arrived, ISO 8601.'),
    safetyScore: z.int().min(0).max(100).describe('100 less the points of the risks; 0 for what is no contract.'),
    safetyLevel: z
      .enum(['likely_safe', 'moderate_risk', 'high_risk', 'dangerous', 'not_a_contract'])
      .describe('From 80, from 60, from 35, below.'),
    risks: z.array(z.string()).describe('Sentences with the points each costs, the gravest first.'),
    positives: z.array(z.string()),
    details: z.strictObject({
      isVerified: z.boolean().describe('Source is published for the contract, or for the code it runs.'),
      isProxy: z.boolean(),
      bytecodeSize: z.int().nonnegative().describe('In bytes, as deployed.'),
      proxySlots: z
        .array(z.strictObject({ slot: z.string(), implementation: z.string() }))
        .describe('Where a proxy keeps what it runs, and what that is.'),
      compilerVersion: z.string().nullable(),
      contractName: z.string().nullable(),
      label: z.string().nullable().describe('The explorer’s public tag.'),
    }),
  }),

  examples: [
    {
      input: {
        address: '0x1cc0d0d80b56ad38fa5b50d4496f50fc70d21d2b',
      },
      output: {
        contract: '0x1cc0d0d80b56ad38fa5b50d4496f50fc70d21d2b',
        chain: 'base',
        fetchedAt: '2026-11-20T12:00:00.000Z',
        safetyScore: 90,
        safetyLevel: 'likely_safe',
        risks: ['Somebody can mint more of it (-10)'],
        positives: [
          'The source of the code that runs is published, and matches in full',
          'It is no proxy: its code cannot be replaced',
          'Its code neither self-destructs nor runs code of others',
          'An ordinary holder can send it, and have it sent, without loss (simulated)',
        ],
        details: {
          isVerified: true,
          isProxy: false,
          bytecodeSize: 2178,
          proxySlots: [],
          compilerVersion: 'v0.8.37+commit.5b3d4b37',
          contractName: 'MintableToken',
          label: 'Demo token',
        },
      },
    },
  ],

  limits: [
    'Powers are known by the usual names of functions; the simulated transfer and sale do not depend on names.',
    'Tokens that compute balances (rebasing, reflection) are not simulated.',
    'What is likely safe today can change where code can be replaced.',
  ],

  async run(input, { blockscout, chain, contracts, now }) {
    const address = (await readAddress('/address', input.address)).toLowerCase()
    const startedAt = now()
    const chainName = 'base' as const
    const code = await chain.request({ method: 'eth_getCode', params: [address, 'latest'] })
    if (typeof code !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(code)) throw new UpstreamError('base-rpc')
    const delegate = /^0xef0100([0-9a-f]{40})$/i.exec(code)?.[1]
    if (code === '0x' || delegate !== undefined) {
      return {
        contract: address,
        chain: chainName,
        fetchedAt: startedAt.toISOString(),
        safetyScore: 0,
        safetyLevel: 'not_a_contract' as const,
        risks: [
          delegate === undefined
            ? 'There is no code at this address: it is an account, or nothing yet'
            : `It is an account that lets 0x${delegate.toLowerCase()} act for it (EIP-7702); look at that contract`,
        ],
        positives: [],
        details: {
          isVerified: false,
          isProxy: false,
          bytecodeSize: 0,
          proxySlots: [],
          compilerVersion: null,
          contractName: null,
          label: null,
        },
      }
    }

    const [study, source, profile] = await Promise.all([
      studyOf(chain, address),
      contracts.source(address).catch(absent),
      blockscout.address(address).catch(absent),
    ])
    const running = study.runs.find(({ hasCode }) => hasCode)?.implementation
    const implementation = running === undefined ? null : await contracts.source(running).catch(absent)
    const published = implementation ?? source
    const reputation = profile?.reputation ?? 'ok'
    const facts = {
      study,
      source: source ?? undefined,
      implementation: implementation ?? undefined,
      isReported: profile?.isScam === true || !harmless.has(reputation),
      nameOf: await namesOf(published?.abi ?? null),
    }
    const times = [startedAt, ...[source, implementation].flatMap((one) => (one === null ? [] : [one.fetchedAt]))]
    return {
      contract: address,
      chain: chainName,
      fetchedAt: new Date(Math.min(...times.map((time) => time.getTime()))).toISOString(),
      ...judge(facts),
      details: {
        isVerified: source?.isVerified === true || implementation?.isVerified === true,
        isProxy: study.runs.length > 0,
        bytecodeSize: code.length / 2 - 1,
        proxySlots: study.runs.map(({ slot, implementation: target }) => ({ slot, implementation: target })),
        compilerVersion: cleanTextOrNull(source?.compilerVersion ?? implementation?.compilerVersion, 64),
        contractName: cleanTextOrNull(source?.name ?? implementation?.name, 128),
        label: cleanTextOrNull(profile?.tags[0], 64),
      },
    }
  },
})

/** What the explorer says of most contracts; anything else is a warning. */
const harmless: ReadonlySet<string> = new Set(['ok', 'neutral', 'unknown', ''])

/** Explorers add to what the chain tells: without them the verdict stands on code and experiments. */
function absent(error: unknown): null {
  if (!(error instanceof UpstreamError)) throw error
  return null
}
