import type { IncomingMessage, ServerResponse } from 'node:http'

import type { AskBooks } from '../../src/server/books/questions.ts'
import type { UsageRow } from '../../src/server/books/usage.ts'
import type { PaidServer } from '../../src/server/paid.ts'
import { type Status, statusPage, type ToolStatus } from '../../web/status-page.ts'
import { sendJson } from './answers.ts'
import { asksForPage } from './documents.ts'
import { pageHeaders } from './pages.ts'

export type StatusRouteParts = {
  readonly server: Pick<PaidServer, 'offered' | 'offers' | 'describe' | 'askBooks'>
  readonly health: () => Promise<unknown>
  readonly now: () => number
}

/** How the server is and was: a page for browsers, JSON for everybody else. */
export type StatusRoute = (request: IncomingMessage, response: ServerResponse) => Promise<void>

export const statusPath = '/status'

const monthMs = 30 * 86_400_000
/** What is known of thirty days need not be counted anew for everybody who looks. */
const keptMs = 60_000

/** Failures that are this server's, or of a service that it needs; all others are the caller's to correct. */
const ours = new Set([
  'internal',
  'upstream_unavailable',
  'deadline_exceeded',
  'unavailable',
  'facilitator_unavailable',
])

export function createStatusRoute({ server, health, now }: StatusRouteParts): StatusRoute {
  let kept: { readonly until: number; readonly usage: Promise<readonly UsageRow[]> } | undefined
  const usage = (): Promise<readonly UsageRow[]> => {
    if (kept === undefined || kept.until <= now())
      kept = { until: now() + keptMs, usage: readUsage(server.askBooks, now()) }
    return kept.usage
  }
  const statusOf = async (): Promise<Status> => {
    const rows = new Map((await usage()).map((row) => [row.key, row]))
    return {
      health: await health(),
      tools: server.offered.map((tool): ToolStatus => {
        const outage = server.offers.outageOf(tool)
        return {
          slug: tool.slug,
          name: tool.name,
          isOpen: outage === undefined,
          answered: answeredOf(rows.get(tool.slug)),
        }
      }),
    }
  }

  return async (request, response) => {
    const status = await statusOf()
    if (!asksForPage(request)) {
      sendJson(response, 200, status, { vary: 'Accept' }, request.method !== 'HEAD')
      return
    }
    const body = Buffer.from(statusPage(status, server.describe), 'utf8')
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': String(body.length),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
      vary: 'Accept',
      ...pageHeaders(),
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
}

async function readUsage(askBooks: AskBooks, now: number): Promise<readonly UsageRow[]> {
  try {
    const rows: readonly UsageRow[] | null = JSON.parse(await askBooks({ kind: 'usage', since: now - monthMs }))
    return rows ?? []
  } catch {
    // What cannot be read now is told as not known; how the ledger is stands above it.
    return []
  }
}

/** The share of calls that were answered, of those that could be; null where there was none. */
function answeredOf(row: UsageRow | undefined): number | null {
  if (row === undefined) return null
  const answered = row.paid + row.balance + row.pass + row.quota + row.free
  const failed = Object.entries(row.failures).reduce((sum, [code, count]) => sum + (ours.has(code) ? count : 0), 0)
  return answered + failed === 0 ? null : Math.round((answered / (answered + failed)) * 10_000) / 10_000
}
