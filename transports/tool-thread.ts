/** What a thread of `tollgate serve` runs: the tools, with clients of their own for the outside world. */
import { parentPort, workerData } from 'node:worker_threads'

import { createRunTool } from '../src/call/run-tool.ts'
import { systemClock } from '../src/platform/clock.ts'
import { yieldToOthers } from '../src/platform/yield-to-others.ts'
import { openUpstreams, settingsOf } from '../src/server/from-config.ts'
import { ownToolModules } from '../src/server/own-tools/modules.ts'
import { toolsOf } from '../src/server/own-tools/serve.ts'
import { type ThreadOffers, type ToolThreadData, withFaces } from '../src/server/threads/offers.ts'
import { serveRuns } from '../src/server/threads/tool-thread.ts'
import { gateThread, ownThread } from '../src/tool/tool.ts'
import { catalogEntriesOf, createToolList, type ToolList } from '../src/tool/tools.ts'
import { createPooledFetch } from '../src/upstream/http/dispatcher.ts'
import { loadTools } from '../tools/load.ts'

type WorkerData = {
  readonly data: ToolThreadData
  readonly offers: ThreadOffers | undefined
  readonly name: string
  readonly beats: Int32Array
}

if (parentPort === null) throw new Error('This module runs in a thread of the server.')
const { data, offers, name, beats }: WorkerData = workerData
const { config, baseUrl, gates: listings } = data
// What chews on the data of strangers takes its time behind the thread of the money and behind tools that do not.
if (name !== ownThread) yieldToOthers(5)
const { fetch } = createPooledFetch()
const gates =
  listings.length === 0
    ? undefined
    : (await import('../src/gate/tools.ts')).openGates(listings, { fetch, clock: systemClock })
const tools = await toolsOf(config, await loadTools(), {
  modules: ownToolModules(import.meta.url),
  gated: gates?.tools ?? [],
})
let toolList = createToolList(tools)
let ownManifests: ThreadOffers['ownManifests'] = new Map()
const onOffers = (now: ThreadOffers): void => {
  toolList = createToolList(withFaces(tools, now.faces))
  ownManifests = now.ownManifests
}
if (offers !== undefined) onOffers(offers)
const toolOf: ToolList['bySlug'] = (slug) => toolList.bySlug(slug)
const upstreams = openUpstreams({ config, clock: systemClock, fetch }, { refuseHosts: [new URL(baseUrl).hostname] })
const settings = settingsOf(config, baseUrl)
serveRuns({
  port: parentPort,
  beats,
  toolOf,
  settings,
  onOffers,
  runTool: createRunTool({
    clock: systemClock,
    upstreams: upstreams.bind,
    settings,
    ownManifest: (url) => ownManifests.get(url),
    catalog: () => catalogEntriesOf(toolList, baseUrl),
    toolOf,
  }),
  health: upstreams.health,
  close: async () => {
    await Promise.all([upstreams.close(), gates?.close()])
  },
})
if (name === gateThread) void gates?.warm()
