import { CallError } from '../../src/errors.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { createLog } from '../../src/platform/log.ts'
import { createLocalServer } from '../../src/server/local.ts'
import { parseJson } from '../../src/call/json.ts'
import { ownToolSettings, type RunCommand } from './command.ts'

export const run: RunCommand = async ({ args, out, parts }) => {
  const [slug = '', text] = args.positionals
  const server = createLocalServer(
    await parts(
      createLog(() => {}, systemClock.now),
      ownToolSettings(args),
    ),
  )
  try {
    const tool = server.toolList.bySlug(slug)
    if (tool === undefined) {
      const known = server.toolList.all.map((one) => one.slug).join(', ')
      throw new CallError('unknown_tool', `There is no tool "${slug}". There are: ${known}.`)
    }
    const answer = await server.answer(tool, text === undefined ? undefined : parseJson(text))
    out(args.has('json') ? answer : JSON.stringify(JSON.parse(answer), null, 2))
    return 0
  } finally {
    await server.upstreams.close()
  }
}
