import type { RunCommand } from './command.ts'
import { leave } from './pause.ts'

export const run: RunCommand = (context) => leave(context, false)
