import { rm } from 'node:fs/promises'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { contracts } from '../sandbox/addresses.ts'
import { CallError } from '../src/errors.ts'
import type { Tool } from '../src/tool/tool.ts'
import { loadTools } from '../tools/load.ts'
import { askLocally } from './harness/ask-locally.ts'
import { samplesOf } from './harness/samples.ts'
import { folderOfSnapshots, fromSnapshots } from './harness/site-snapshots.ts'

/** What an upstream says in trouble; none of it may reach a caller. */
const secret = 'Too many requests, buy credits'

type Trouble = () => Response
const troubles: readonly (readonly [name: string, answer: Trouble])[] = [
  [
    'cannot be reached',
    () => {
      throw new TypeError(secret)
    },
  ],
  ['is down', () => new Response(secret, { status: 503 })],
  ['answers 200 with an error text', () => Response.json({ message: secret })],
  [
    'answers 200 with a page',
    () => new Response(`<html>${secret}</html>`, { headers: { 'content-type': 'text/html' } }),
  ],
  ['answers 200 with nothing', () => Response.json(null)],
  ['is out of requests', () => Response.json({ error: secret }, { status: 429 })],
]

const tools = (await loadTools()).filter(({ family }) => family === 'site')
const samples = await samplesOf(tools)
let folder: string

beforeAll(async () => {
  folder = await folderOfSnapshots()
})
afterAll(() => rm(folder, { recursive: true }))

/** A call to a tool of a server that gets the answer to whatever it asks. */
async function callWith(answer: Trouble, tool: Tool) {
  let asked = 0
  const env = {
    TOLLGATE_BASE_RPC_URLS: 'https://base-rpc.example',
    TOLLGATE_MAINNET_RPC_URLS: 'https://mainnet-rpc.example',
    TOLLGATE_REGISTRY: contracts.registry,
    TOLLGATE_CERTIFICATES: contracts.certificates,
    TOLLGATE_NATIVE_TOKEN: JSON.stringify({
      symbol: 'TOLL',
      contract: contracts.nativeToken,
      vault: contracts.stakedNative,
      pools: [contracts.nativePair],
    }),
    TOLLGATE_POSTS_FEED: 'https://posts.example',
    TOLLGATE_OPENSEA_KEY: 'a-key',
    TOLLGATE_BLOCKSCOUT_KEY: 'a-key',
    TOLLGATE_DATA_DIR: folder,
  }
  const fetch = async (): Promise<Response> => {
    asked += 1
    return answer()
  }
  try {
    const text = await askLocally(tool, samples[tool.slug]?.input, { tools, env, fetch })
    return { asked, text, error: undefined }
  } catch (error) {
    return { asked, text: '', error }
  }
}

describe.each(troubles)('while everything outside %s', (_name, answer) => {
  it.each(tools.map((tool) => [tool.slug, tool] as const))('%s says so, or has no need to ask', async (slug, tool) => {
    const { asked, text, error } = await callWith(answer, tool)
    if (fromSnapshots.has(slug)) {
      expect({ asked, error }).toEqual({ asked: 0, error: undefined })
      return
    }
    expect(asked).toBeGreaterThan(0)
    if (!(error instanceof CallError)) throw new Error(`${slug} answered: ${text}`, { cause: error })
    expect(error).toMatchObject({ code: 'upstream_unavailable', charged: false })
    expect(error.message + String(error.nextStep)).not.toContain(secret)
  })
})
