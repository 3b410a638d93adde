import { z } from 'zod'

import { createMemo, defineTool } from '../../../src/tool/tool.ts'
import { type Answer, resolveAll } from './resolve.ts'

const ttlSeconds = 600
const memo = createMemo<Answer>({ ttlMs: ttlSeconds * 1000, max: 2_000 })

export default defineTool({
  family: 'site',
  slug: 'ens-resolver',
  name: 'ENS Resolver',
  version: '1.0.0',
  tags: ['ens', 'names', 'identity', 'basename', 'ethereum'],
  description:
    'Resolves up to 20 ENS names and addresses, mixed, each to the other and its avatar; Basenames too. Call before using a name as an address, or to name a wallet. A name that does not lead back to its address is not shown. Does not search names.',

  access: { mode: 'free' },
  methods: ['GET', 'POST'],
  preferredMethod: 'POST',
  latencySlaMs: 8_000,
  budget: { requests: 300, hosts: 30, lookUps: 100 },
  foreignData: true,
  freshness: { mode: 'cached', ttlSeconds },
  sources: ['https://ethereum-rpc.publicnode.com', 'https://eth.drpc.org'],
  needs: ['mainnet-rpc'],
  untrusted: ['/results/*/input', '/results/*/name', '/results/*/avatar'],

  input: z.looseObject({
    items: z.array(z.string()).max(20).describe('Names or 0x addresses.'),
  }),

  output: z.strictObject({
    count: z.int().nonnegative(),
    resolved: z.int().nonnegative().describe('Items with both a name and an address.'),
    unresolved: z.int().nonnegative(),
    results: z.array(
      z.strictObject({
        input: z.string(),
        name: z.string().nullable().describe('In its normal form (ENSIP-15).'),
        address: z.string().nullable().describe('Lower case.'),
        avatar: z.string().nullable().describe('A link or a data URI that a stranger chose; it was not opened.'),
        resolved: z.boolean(),
        error: z
          .string()
          .nullable()
          .describe('`not found`, `invalid name`, `invalid address`, `wrong checksum` or `lookup failed`.'),
      }),
    ),
    network: z.literal('ethereum-mainnet'),
    cachedFor: z.string().describe('How long an item’s answer is kept.'),
  }),

  examples: [
    {
      input: {
        items: ['payer.tollgate-demo.eth', '0x440191Ad2f3619090E441F426613a99eEA972543', 'nobody.tollgate-demo.eth'],
      },
      output: {
        count: 3,
        resolved: 2,
        unresolved: 1,
        results: [
          {
            input: 'payer.tollgate-demo.eth',
            name: 'payer.tollgate-demo.eth',
            address: '0xe0cd90435a19f996630f21ca84e513d2fc1d419b',
            avatar: 'https://images.tollgate-demo.example/payer.png',
            resolved: true,
            error: null,
          },
          {
            input: '0x440191Ad2f3619090E441F426613a99eEA972543',
            name: 'holder.tollgate-demo.eth',
            address: '0x440191ad2f3619090e441f426613a99eea972543',
            avatar: 'https://images.tollgate-demo.example/tollgate-toads/7.png',
            resolved: true,
            error: null,
          },
          {
            input: 'nobody.tollgate-demo.eth',
            name: 'nobody.tollgate-demo.eth',
            address: null,
            avatar: null,
            resolved: false,
            error: 'not found',
          },
        ],
        network: 'ethereum-mainnet',
        cachedFor: '600s',
      },
    },
  ],

  badAt: ['Names kept by slow gateways outside the chain may come back unresolved though they exist.'],
  limits: [
    'Avatars are not fetched: a picture whose NFT metadata is not on the chain is given as the name service’s own link.',
    'NFT avatars on other chains than Ethereum are not shown.',
    'Names kept off the chain (Basenames among them) take a request to their gateway each.',
  ],

  async run({ items }, { mainnet, now, settings }) {
    const results = await resolveAll(items, { mainnet, settings, now: now(), memo })
    const resolved = results.filter((result) => result.resolved).length
    return {
      count: results.length,
      resolved,
      unresolved: results.length - resolved,
      results,
      network: 'ethereum-mainnet' as const,
      cachedFor: `${ttlSeconds}s`,
    }
  },
})
