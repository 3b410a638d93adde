import { isRecord } from '../../platform/record.ts'
import { isReadInline, largestInline, mostPartsInline, type WrittenInput } from '../../access/large-input.ts'
import { canonicalText } from '../../access/operation.ts'
import { checkAddresses } from '../../call/addresses.ts'
import { readJson } from '../../call/json.ts'
import { readInput } from '../../call/run-tool.ts'
import { CallError, toCallError } from '../../errors.ts'
import type { Tool, ToolSettings } from '../../tool/tool.ts'
import { type Ask, type Failure, failureOf, type ReadBody } from './messages.ts'

export type ReadBodyParts = {
  readonly toolOf: (slug: string) => Tool | undefined
  readonly settings: ToolSettings
}

type Read = { readonly read: ReadBody; readonly transfer: readonly ArrayBuffer[] }

/**
 * Reads a body that is too large to be parsed in the main thread. What goes back there is small, or bytes that it does
 * not look into.
 * @throws CallError where it is no JSON, or what is large in it are no arguments of a call.
 */
export async function readBody({ bytes, slug }: Extract<Ask, { kind: 'read' }>, parts: ReadBodyParts): Promise<Read> {
  const value = readJson(bytes)
  if (isSmall(value)) return { read: { kind: 'small', value }, transfer: [] }
  if (slug !== undefined) return read(slug, value, undefined, parts)
  if (Array.isArray(value)) throw tooLarge('A batch of messages')
  const params = isRecord(value) && isRecord(value['params']) ? value['params'] : undefined
  const name = params?.['name']
  if (!isRecord(value) || value['method'] !== 'tools/call' || typeof name !== 'string') throw tooLarge('This message')
  const message = { ...value, params: { ...params, arguments: {} } }
  if (!isSmall(message)) throw tooLarge('A call, without its arguments,')
  // What no tool answers needs no arguments to be refused.
  if (parts.toolOf(name) === undefined) return { read: { kind: 'small', value: message }, transfer: [] }
  return read(name, params?.['arguments'], message, parts)
}

async function read(slug: string, raw: unknown, message: unknown, parts: ReadBodyParts): Promise<Read> {
  const input = await writtenOf(slug, raw, parts)
  return {
    read: { kind: 'large', slug, input, message },
    transfer: 'json' in input ? [input.json.buffer, input.canonical.buffer] : [],
  }
}

type Written = WrittenInput & Readonly<Record<'json' | 'canonical', Uint8Array<ArrayBuffer>>>

/** A refusal by the schema is told when the call is asked about it, in its turn with all other reasons to refuse. */
async function writtenOf(slug: string, raw: unknown, { toolOf, settings }: ReadBodyParts): Promise<Written | Failure> {
  try {
    const tool = toolOf(slug)
    if (tool === undefined) throw new Error(`This thread has no tool "${slug}".`)
    const input = readInput(tool, raw, settings)
    await checkAddresses(tool, input)
    const encoder = new TextEncoder()
    return { json: encoder.encode(JSON.stringify(input)), canonical: encoder.encode(canonicalText(input)) }
  } catch (error) {
    return failureOf(toCallError(error))
  }
}

function isSmall(value: unknown): boolean {
  return isReadInline(Buffer.from(JSON.stringify(value) ?? ''))
}

function tooLarge(what: string): CallError {
  const bound = `${largestInline} bytes, nor have more than ${mostPartsInline} parts`
  return new CallError('payload_too_large', `${what} may not be larger than ${bound}.`, {
    nextStep: 'Send a smaller input; only the arguments of one call may be large.',
    details: { path: '', maxBytes: largestInline },
  })
}
