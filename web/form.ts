import { html, raw } from 'hono/html'

import type { JsonSchema } from '../src/describe/schemas.ts'
import { listOf, objectOf } from './json.ts'
import type { Markup } from './page.ts'
import { boundsOf, wordsOf } from './words.ts'

/** How a field of an input is filled in; the browser's code reads it back by the same name. */
export type FieldKind = 'text' | 'long' | 'integer' | 'number' | 'boolean' | 'choice' | 'choices' | 'list' | 'json'

export type Field = {
  readonly name: string
  readonly kind: FieldKind
  readonly isRequired: boolean
  readonly schema: JsonSchema
  /** What may be chosen, where there is a choice. */
  readonly options: readonly string[]
}

/** The fields of a form, made from the schema of an input. */
function fieldsOf(schema: JsonSchema): readonly Field[] {
  const required = listOf(schema['required'])
  return Object.entries(objectOf(schema['properties'])).map(([name, member]) => {
    const own = textBranchOf(objectOf(member))
    const items = objectOf(own['items'])
    const options = [...listOf(own['enum']), ...listOf(items['enum'])].map(String)
    return { name, kind: kindOf(own, items), isRequired: required.includes(name), schema: own, options }
  })
}

/** A text that may also be a list is written as a text. */
function textBranchOf(member: JsonSchema): JsonSchema {
  const branches = [...listOf(member['anyOf']), ...listOf(member['oneOf'])].map(objectOf)
  const simple = branches.find(({ type }) => type === 'string') ?? branches[0]
  return simple === undefined ? member : { ...simple, ...member, type: simple['type'] }
}

const longText = 160

function kindOf(schema: JsonSchema, items: JsonSchema): FieldKind {
  if (listOf(schema['enum']).length > 0) return 'choice'
  if (schema['type'] === 'array') {
    if (listOf(items['enum']).length > 0) return 'choices'
    return items['type'] === 'string' ? 'list' : 'json'
  }
  if (schema['type'] === 'string') {
    const isLong = Number(schema['maxLength'] ?? 0) > longText && schema['format'] !== 'uri'
    return isLong && schema['pattern'] === undefined ? 'long' : 'text'
  }
  if (schema['type'] === 'integer' || schema['type'] === 'number' || schema['type'] === 'boolean') return schema['type']
  return 'json'
}

export type FormValues = {
  readonly input: Readonly<Record<string, unknown>>
  /** What is wrong with an input that came in the address, by field. */
  readonly wrong: Readonly<Record<string, string>>
}

/** The fields as a form shows them, filled with an input. */
export function formFields(schema: JsonSchema, { input, wrong }: FormValues): Markup {
  const fields = fieldsOf(schema)
  if (fields.length === 0) return html`<p class="soft">This tool takes no input.</p>`
  return html`${alternativesOf(schema)}${fields.map((field, index) => fieldOf(field, idOf(field.name, index), input[field.name], wrong[field.name]))}`
}

/** Members of which one must be there, as a sentence. */
function alternativesOf(schema: JsonSchema): Markup {
  const groups = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])].map((one) =>
    listOf(objectOf(one)['required']),
  )
  const names = groups.flat().map((name) => wordsOf(String(name)))
  return names.length < 2 ? html`` : html`<p class="soft">Give one of: ${names.join(', or ')}.</p>`
}

/** A name with a blank in it is no name of one element. */
function idOf(name: string, index: number): string {
  return /^[\w-]+$/.test(name) ? `field-${name}` : `field-${index}`
}

function fieldOf(field: Field, id: string, value: unknown, wrong: string | undefined): Markup {
  const { name, kind, isRequired, schema } = field
  const text = [typeof schema['description'] === 'string' ? schema['description'] : '', hintOf(field)]
  const note = html`<p class="note" id="${id}-note">${text.filter((part) => part !== '').join(' ')}</p>`
  const fault = html`<p class="wrong" id="${id}-wrong" role="alert" ${wrong === undefined ? 'hidden' : ''}>
    ${wrong ?? ''}
  </p>`
  const isGroup = kind === 'choices'
  const label = html`${wordsOf(name)}${isRequired ? '' : html` <span class="soft">optional</span>`}`
  const inner = html`${control(field, id, value)}${note}${fault}`
  // Escaped like every text: the names of a tool behind a gate are a stranger’s.
  const data = html`data-field="${name}" data-kind="${kind}"`
  if (isGroup)
    return html`<fieldset class="field" ${data}>
      <legend>${label}</legend>
      ${inner}
    </fieldset>`
  if (kind === 'boolean') {
    return html`<div class="field" ${data}>
      <label class="check">${control(field, id, value)} ${label}</label>${note}${fault}
    </div>`
  }
  return html`<div class="field" ${data}><label for="${id}">${label}</label>${inner}</div>`
}

function hintOf({ kind, schema }: Field): string {
  // Whoever ticks boxes can choose no more than there are.
  const bounds = kind === 'choices' ? '' : boundsOf(schema)
  const line = kind === 'list' ? ['One a line.'] : []
  return [...line, bounds === '' ? '' : `(${bounds})`].filter((part) => part !== '').join(' ')
}

const attributes = ['minLength', 'maxLength', 'pattern', 'minimum', 'maximum'] as const
const attributeNames = {
  minLength: 'minlength',
  maxLength: 'maxlength',
  // Not the attribute of that name: browsers read it by stricter rules than JSON Schema has.
  pattern: 'data-pattern',
  minimum: 'min',
  maximum: 'max',
}

function control(field: Field, id: string, value: unknown): Markup {
  const { name, kind, schema, options, isRequired } = field
  const limits = attributes.flatMap((key) => {
    const bound = schema[key]
    const isMeant = key === 'minimum' || key === 'maximum' ? kind === 'integer' || kind === 'number' : true
    return (typeof bound === 'number' || typeof bound === 'string') && isMeant
      ? [html` ${raw(attributeNames[key])}="${String(bound)}"`]
      : []
  })
  const common = html`id="${id}" name="${name}" aria-describedby="${id}-note
  ${id}-wrong"${isRequired ? ' required' : ''}`
  const code = schema['pattern'] === undefined && kind !== 'json' ? '' : ' class="mono"'
  const plain = raw(`${code} autocomplete="off" autocapitalize="off" spellcheck="false"`)
  const fallback = textOf(schema['default'])
  switch (kind) {
    case 'boolean':
      return html`<input type="checkbox" ${common} ${value === true ? 'checked' : ''} data-default="${fallback}" />`
    case 'choice':
      return html`<select ${common}>
        ${isRequired ? '' : html`<option value="">${fallback === '' ? '–' : `${fallback} (unless chosen)`}</option>`}
        ${options.map((one) => html`<option value="${one}" ${one === value ? 'selected' : ''}>${one}</option>`)}
      </select>`
    case 'choices': {
      const chosen = listOf(value)
      return html`<div class="choices">
        ${options.map(
          (one) =>
            html`<label class="check"
              ><input type="checkbox" name="${name}" value="${one}" ${chosen.includes(one) ? 'checked' : ''} />
              ${one}</label
            >`,
        )}
      </div>`
    }
    case 'list':
      return html`<textarea ${common}${plain} rows="3">${listOf(value).map(String).join('\n')}</textarea>`
    case 'json':
      return html`<textarea ${common}${plain} rows="8" data-json>
${value === undefined ? '' : JSON.stringify(value, null, 2)}</textarea>`
    case 'long':
      return html`<textarea ${common}${limits} rows="3">${textOf(value)}</textarea>`
    case 'integer':
    case 'number':
      return html`<input
        type="number"
        inputmode="decimal"
        step="${kind === 'integer' ? '1' : 'any'}"
        ${common}${limits}
        value="${textOf(value)}"
        placeholder="${fallback}"
      />`
    case 'text':
      return html`<input
        type="${schema['format'] === 'uri' ? 'url' : 'text'}"
        ${common}${limits}${plain}
        value="${textOf(value)}"
        placeholder="${fallback}"
      />`
  }
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
