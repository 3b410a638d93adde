/**
 * Asks every tool its published examples in the real world, without paying, and compares the answers with the published
 * ones in shape and in what does not move. What a tool lacks (a key, a token of one's own) is read from the
 * environment.
 *
 *     npm run test:live
 *     npm run test:live -- ens-resolver collection-stats
 *
 * It fails where an answer differs, and says so and ends well where there is no network.
 */
import { toCallError } from '../src/errors.ts'
import { systemClock } from '../src/platform/clock.ts'
import { parseConfig } from '../src/platform/config.ts'
import { noFailpoints } from '../src/platform/failpoint.ts'
import { silentLog } from '../src/platform/log.ts'
import { createLocalServer } from '../src/server/local.ts'
import { createPooledFetch } from '../src/upstream/http/dispatcher.ts'
import { loadTools } from '../tools/load.ts'
import { sampleOf } from '../test/harness/samples.ts'
import { isEmptyAnswer, shapeDifferences, valueAt } from '../test/harness/same-shape.ts'

const networkMs = 8_000

async function hasNetwork(urls: readonly string[]): Promise<boolean> {
  const looks = urls.map((url) => fetch(url, { method: 'POST', signal: AbortSignal.timeout(networkMs) }))
  // Any answer at all, a refusal too, came over a network.
  return (await Promise.allSettled(looks)).some(({ status }) => status === 'fulfilled')
}

const config = parseConfig(process.env)
const wanted = process.argv.slice(2)
if (!(await hasNetwork([...config.baseRpcUrls, 'https://api.github.com/rate_limit']))) {
  console.log('Skipped: there is no network here, so no example was asked.')
  process.exit(0)
}

const pooled = createPooledFetch()
const server = createLocalServer({
  config,
  tools: await loadTools(),
  clock: systemClock,
  log: silentLog,
  failpoint: noFailpoints,
  fetch: pooled.fetch,
})
let wrong = 0
for (const tool of server.toolList.all.filter(({ slug }) => wanted.length === 0 || wanted.includes(slug))) {
  if (!server.offered.includes(tool)) {
    console.log(`skipped  ${tool.slug}: something is not configured`)
    continue
  }
  for (const { input, output } of tool.examples) {
    const found = await differencesOf(tool.slug, input, output)
    if (found.length > 0) wrong += 1
    console.log(
      `${found.length === 0 ? 'fine   ' : 'DIFFERS'}  ${tool.slug}${found.map((one) => `\n           ${one}`).join('')}`,
    )
  }
}
await server.upstreams.close()
await pooled.close()
console.log(`${wrong} examples differ.`)
if (wrong > 0) process.exitCode = 1

async function differencesOf(slug: string, input: unknown, output: unknown): Promise<readonly string[]> {
  const tool = server.toolList.bySlug(slug)
  if (tool === undefined) return ['there is no such tool']
  try {
    const answer: unknown = JSON.parse(await server.answer(tool, input))
    const { world = [], mayDiffer = [] } = (await sampleOf(tool)).published ?? {}
    const moved = world.filter(
      (pointer) => JSON.stringify(valueAt(answer, pointer)) !== JSON.stringify(valueAt(output, pointer)),
    )
    return [
      ...(isEmptyAnswer(answer) ? ['the answer says nothing'] : []),
      ...shapeDifferences(output, answer).filter((one) => !mayDiffer.some((place) => one.startsWith(place))),
      ...moved.map((pointer) => `${pointer} is ${JSON.stringify(valueAt(answer, pointer))?.slice(0, 200)}`),
    ]
  } catch (error) {
    const { code, message } = toCallError(error)
    return [`${code}: ${message}`]
  }
}
