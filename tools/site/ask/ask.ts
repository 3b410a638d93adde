import { createHash } from 'node:crypto'

import { CallError, cleanText, type ToolContext, UpstreamError } from '../../../src/tool/tool.ts'
import { entitiesIn, type Entities } from './entities.ts'
import { isNamed, matchOf } from './match.ts'
import type { Need, Route } from './routes.ts'
import { valueAt } from './sentence.ts'

export type Reply = { readonly answer: string; readonly toolUsed: string | null; readonly toolData: string | null }

const longestAnswer = 1_000
/** What a model is shown of a tool's answer. */
const longestFacts = 8_000
const nothingFits =
  'No tool of this server answers that. They read chain data, NFT collections, wallets, contracts, agents, repositories and prediction markets; they send and sign nothing.'

const missing: Readonly<Record<Need, string>> = {
  address: 'an address or an ENS name',
  'name or address': 'an address or an ENS name',
  collection: 'the slug of an NFT collection',
  repo: 'a repository as owner/name',
  url: 'an address on the web',
  symbol: 'the symbol of the token, such as $NOVA',
}

/** Answers a question by one tool, and by the name service before it where a name stands for an address. */
export async function replyTo(asked: string, context: ToolContext): Promise<Reply> {
  const question = cleanText(asked, 500)
  const { entities, rest } = entitiesIn(question)
  const route = await matchOf(context.catalog(), rest, entities)
  if (route === undefined) return said(nothingFits)
  if (route.needs !== undefined && !isNamed(route.needs, entities)) {
    return said(
      `The tool ${route.slug} answers this, but the question does not name ${missing[route.needs]}. Ask again with it.`,
    )
  }
  try {
    const address = await addressFor(route, entities, context)
    if (address === null)
      return said(`The name ${cleanText(entities.names[0] ?? '', 80)} leads to no address.`, 'ens-resolver')
    const output = await context.runTool(route.slug, route.input({ question, entities }, address))
    const answer = cleanText(route.answer(output, { question, entities }), longestAnswer)
    return {
      answer: (await phrased(question, output, answer, context)) ?? answer,
      toolUsed: route.slug,
      toolData: markOf(route.slug, output),
    }
  } catch (error) {
    return refusal(route, error)
  }
}

/** The address that the tool is asked about; undefined where it needs none, null where a name leads to none. */
async function addressFor(
  route: Route,
  { addresses, names }: Entities,
  { runTool }: ToolContext,
): Promise<string | null | undefined> {
  if (addresses[0] !== undefined) return addresses[0]
  const isTaken = route.needs === 'address' || (route.takes ?? []).includes('address')
  if (!isTaken || names[0] === undefined) return undefined
  const row = valueAt(await runTool('ens-resolver', { items: [names[0]] }), 'results.0')
  const address = valueAt(row, 'address')
  if (typeof address === 'string') return address
  if (valueAt(row, 'error') === 'lookup failed') throw new UpstreamError('mainnet-rpc')
  return null
}

/** A tool that says no has answered; one that could not work has not. */
function refusal(route: Route, error: unknown): Reply {
  if (!(error instanceof CallError)) throw error
  if (error.code === 'invalid_input' || error.code === 'not_found') {
    return said(`The tool ${route.slug} cannot answer this: ${error.message}`, route.slug)
  }
  if (error.code === 'unavailable' || error.code === 'unknown_tool') {
    return said(`The tool ${route.slug} would answer this, but it is not set up on this server.`)
  }
  throw error
}

/** The answer in a model's words, where the operator configured one and it keeps to the facts. */
async function phrased(
  question: string,
  output: unknown,
  answer: string,
  { model }: ToolContext,
): Promise<string | undefined> {
  if (model === undefined) return undefined
  const facts = JSON.stringify(output)
  try {
    const text = cleanText(await model.phrase({ question, answer, facts: facts.slice(0, longestFacts) }), longestAnswer)
    return text !== '' && keepsTo(text, `${facts} ${answer} ${question}`) ? text : undefined
  } catch (error) {
    // The answer is there; only its words would have been better.
    if (!(error instanceof UpstreamError)) throw error
    return undefined
  }
}

/** Whether every number and address of a text is one of the facts. */
export function keepsTo(text: string, facts: string): boolean {
  const known = facts.replaceAll(/(?<=\d),(?=\d{3})/g, '').toLowerCase()
  const claims = text
    .toLowerCase()
    .replaceAll(/(?<=\d),(?=\d{3})/g, '')
    .match(/0x[0-9a-f]+|https?:\/\/[^\s)]+|\d+(?:\.\d+)?/g)
  return (claims ?? []).every((claim) => known.includes(claim))
}

/** Which answer of which tool it was: its hash, as the tool's JSON stands. */
function markOf(slug: string, output: unknown): string {
  return `${slug}@sha256:${createHash('sha256').update(JSON.stringify(output)).digest('hex')}`
}

function said(answer: string, toolUsed: string | null = null): Reply {
  return { answer: cleanText(answer, longestAnswer), toolUsed, toolData: null }
}
