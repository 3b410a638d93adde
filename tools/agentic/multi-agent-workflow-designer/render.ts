import type { Json } from './plan-tool.ts'
import type { Binding, Step } from './plan.ts'

export type Path = readonly (string | number)[]

/** The inputs of a step with `{{s1.field}}` for an earlier answer and `{{slot}}` for what the caller must still say. */
export function inputsOf({ tool, bindings }: Step): { readonly [key: string]: Json } {
  return fillObject(tool.template, bindings, [], placeholder)
}

/** The address of a step, with the same placeholders. */
export function endpointOf(step: Step): string {
  return urlParts(step)
    .map((part) => (typeof part === 'string' ? part : placeholder(part.slot, part.binding)))
    .join('')
}

/** The address of a step as a valid URI: braces of placeholders are percent-encoded. */
export function toolUrl(address: string): string {
  return address.replaceAll('{', '%7B').replaceAll('}', '%7D')
}

export type Hole = { readonly slot: string; readonly binding: Binding }

/** An address in pieces: text as it is, and holes that only a running plan can fill. */
export function urlParts({ tool, bindings }: Step): readonly (string | Hole)[] {
  return tool.url.split(/(\{\{\w+\}\})/).map((part) => {
    const slot = slotOf(part, bindings)
    const binding = slot === undefined ? undefined : bindings.get(slot)
    if (slot === undefined || binding === undefined) return part
    return binding.from === 'goal' ? encodeURIComponent(textOf(binding.value)) : { slot, binding }
  })
}

/** A value as it stands in a query or an address. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The inputs with `null` in every hole, and where the holes are. */
export function inputHoles({ tool, bindings }: Step): {
  readonly inputs: { readonly [key: string]: Json }
  readonly holes: readonly (Hole & { readonly path: Path })[]
} {
  const holes: (Hole & { path: Path })[] = []
  const inputs = fillObject(tool.template, bindings, [], (slot, binding, path) => {
    holes.push({ slot, binding, path })
    return null
  })
  return { inputs, holes }
}

/** A dotted path of an answer as its keys: `results.0.address`. */
export function keysOf(path: string): Path {
  return path.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key))
}

type Bindings = ReadonlyMap<string, Binding>
type OnHole = (slot: string, binding: Binding, path: Path) => Json

function placeholder(slot: string, binding: Binding): string {
  return binding.from === 'step' ? `{{${binding.stepId}.${binding.path}}}` : `{{${slot}}}`
}

function fillObject(
  template: { readonly [key: string]: Json },
  bindings: Bindings,
  path: Path,
  onHole: OnHole,
): { readonly [key: string]: Json } {
  return Object.fromEntries(
    Object.entries(template).flatMap(([key, value]) => {
      const filled = fill(value, bindings, [...path, key], onHole)
      return filled === undefined ? [] : [[key, filled]]
    }),
  )
}

/** Undefined for an optional slot that nothing fills. */
function fill(template: Json, bindings: Bindings, path: Path, onHole: OnHole): Json | undefined {
  if (isList(template)) {
    return template.flatMap((item, index) => {
      const filled = fill(item, bindings, [...path, index], onHole)
      // A list of names goes into the list that asks for it, not inside a list of its own.
      return filled === undefined ? [] : isList(filled) && !isList(item) ? filled : [filled]
    })
  }
  if (typeof template === 'object' && template !== null) return fillObject(template, bindings, path, onHole)
  if (typeof template !== 'string' || !template.startsWith('{{')) return template
  const slot = slotOf(template, bindings)
  const binding = slot === undefined ? undefined : bindings.get(slot)
  if (slot === undefined || binding === undefined) return undefined
  return binding.from === 'goal' ? binding.value : onHole(slot, binding, path)
}

function slotOf(text: string, bindings: Bindings): string | undefined {
  return [...bindings.keys()].find((slot) => text === `{{${slot}}}` || text === `{{${slot}?}}`)
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
