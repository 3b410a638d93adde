import type { CommandContext } from '../../transports/cli/command.ts'

const noFile = (): Promise<never> => Promise.reject(new Error('No file is read here.'))

/** A command line without files of a configuration. */
export const rereadsNothing: CommandContext['rereading'] = () => ({ files: [], read: noFile, settings: noFile })
