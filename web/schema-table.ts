import { html } from 'hono/html'

import type { JsonSchema } from '../src/describe/schemas.ts'
import { listOf, objectOf } from './json.ts'
import type { Markup } from './page.ts'
import { boundsOf } from './words.ts'
import { table } from './table.ts'

type Row = {
  readonly path: string
  readonly type: string
  readonly isRequired: boolean
  readonly note: string
}

const most = { rows: 80, depth: 5 } as const

/** A schema as a table that a person reads: path, type, whether it must be there, and what it says. */
export function schemaTable(schema: JsonSchema): Markup {
  const rows = rowsOf(schema, '', 0)
  if (rows.length === 0) return html`<p class="soft">Nothing.</p>`
  const rest =
    rows.length > most.rows ? html`<p class="soft">${rows.length - most.rows} more in the OpenAPI document.</p>` : ''
  const cells = rows.slice(0, most.rows).map(({ path, type, isRequired, note }): readonly (string | Markup)[] => {
    const required = html`${type}<br /><span class="soft">required</span>`
    return [html`<code>${path}</code>`, isRequired ? required : type, note]
  })
  return html`${table('Fields', ['Field', 'Type', 'Meaning'], cells)} ${rest}`
}

function rowsOf(schema: JsonSchema, prefix: string, depth: number): readonly Row[] {
  if (depth > most.depth) return []
  const required = listOf(schema['required'])
  return Object.entries(objectOf(schema['properties'])).flatMap(([name, raw]) => {
    const field = objectOf(raw)
    const path = prefix === '' ? name : `${prefix}.${name}`
    const items = objectOf(field['items'])
    const row: Row = { path, type: typeOf(field), isRequired: required.includes(name), note: noteOf(field) }
    const inner = field['type'] === 'array' ? rowsOf(items, `${path}[]`, depth + 1) : rowsOf(field, path, depth + 1)
    return [row, ...inner]
  })
}

function typeOf(field: JsonSchema): string {
  const choices = listOf(field['enum'])
  if (choices.length > 0) return `one of ${choices.map(String).join(', ')}`
  if (field['const'] !== undefined) return JSON.stringify(field['const'])
  const { type } = field
  if (type === 'array') return `list of ${typeOf(objectOf(field['items']))}`
  if (typeof type === 'string') return typeof field['format'] === 'string' ? `${type} (${field['format']})` : type
  if (Array.isArray(type)) return type.join(' or ')
  const either = [...listOf(field['anyOf']), ...listOf(field['oneOf'])].map((one) => typeOf(objectOf(one)))
  return either.length === 0 ? 'anything' : [...new Set(either)].join(' or ')
}

function noteOf(field: JsonSchema): string {
  const text = typeof field['description'] === 'string' ? field['description'] : ''
  const bounds = boundsOf(field)
  return [text, bounds === '' ? '' : `(${bounds})`].filter((part) => part !== '').join(' ')
}
