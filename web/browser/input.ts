import { parsed } from './dom.ts'

/** An input as the form holds it, or what is wrong with it, by field. */
export type FormInput =
  | { readonly input: Readonly<Record<string, unknown>>; readonly wrong?: undefined }
  | { readonly wrong: Readonly<Record<string, string>> }

/** Reads the form: what was left empty is left out, and the tool's own default stands in its place. */
export function readForm(form: HTMLFormElement): FormInput {
  const input: Record<string, unknown> = {}
  const wrong: Record<string, string> = {}
  for (const field of form.querySelectorAll<HTMLElement>('[data-field]')) {
    const { field: name = '', kind = '' } = field.dataset
    const control = field.querySelector<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(
      'input,textarea,select',
    )
    if (control === null) continue
    const fault = faultOf(control)
    const read = fault === undefined ? readField(field, control, kind) : { fault }
    if (read.fault !== undefined) wrong[name] = read.fault
    else if (read.value !== undefined) input[name] = read.value
  }
  return Object.keys(wrong).length === 0 ? { input } : { wrong }
}

type Read = { readonly value?: unknown; readonly fault?: string | undefined }

function readField(
  field: HTMLElement,
  control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement,
  kind: string,
): Read {
  const text = control.value.trim()
  switch (kind) {
    case 'boolean': {
      const isChecked = control instanceof HTMLInputElement && control.checked
      return isChecked ? { value: true } : control.dataset['default'] === 'true' ? { value: false } : {}
    }
    case 'choices': {
      const chosen = [...field.querySelectorAll<HTMLInputElement>('input:checked')].map(({ value }) => value)
      return chosen.length === 0 ? {} : { value: chosen }
    }
    case 'list': {
      const items = text
        .split(/[\n,]/)
        .map((one) => one.trim())
        .filter((one) => one !== '')
      return items.length === 0 && !control.required ? {} : { value: items }
    }
    case 'json': {
      if (text === '') return {}
      const value = parsed(text)
      return value === undefined ? { fault: jsonFault(text) } : { value }
    }
    case 'integer':
    case 'number':
      return text === '' ? {} : { value: Number(text) }
    default:
      return text === '' && !control.required ? {} : { value: text }
  }
}

/** Where a text stops being JSON, in the browser's words. */
function jsonFault(text: string): string {
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`
  }
}

function faultOf(control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement): string | undefined {
  const { validity } = control
  if (validity.valueMissing) return 'This is needed.'
  if (!validity.valid) return control.validationMessage
  const { pattern } = control.dataset
  if (pattern === undefined || control.value.trim() === '') return undefined
  const form = new RegExp(pattern, 'u')
  if (form.test(control.value.trim())) return undefined
  if (/^\^0x.*\{40\}\$$/.test(pattern)) return 'An address is 0x and 40 hexadecimal digits.'
  // The page was opened with an example; that tells people more than a pattern does.
  const example = control instanceof HTMLSelectElement ? '' : control.defaultValue.trim()
  return form.test(example)
    ? `This has another form than is asked for. An example: ${example}`
    : `This must fit the pattern ${pattern}`
}

/** Says beside one field what is wrong with it, as soon as somebody has left it. */
export function showFault(form: HTMLFormElement, control: HTMLElement): void {
  const name = control.closest<HTMLElement>('[data-field]')?.dataset['field']
  const fault = name === undefined ? undefined : readForm(form).wrong?.[name]
  if (name !== undefined && fault !== undefined) showWrong(form, { [name]: fault }, false)
}

/**
 * Says beside each field what is wrong with it, and goes to the first unless told not to; says nothing where nothing
 * is.
 */
export function showWrong(form: HTMLFormElement, wrong: Readonly<Record<string, string>>, goes = true): void {
  let first: HTMLElement | undefined
  for (const field of form.querySelectorAll<HTMLElement>('[data-field]')) {
    const fault = wrong[field.dataset['field'] ?? '']
    const place = field.querySelector<HTMLElement>('.wrong')
    if (place !== null) {
      place.textContent = fault ?? ''
      place.hidden = fault === undefined
    }
    const control = field.querySelector<HTMLElement>('input,textarea,select')
    if (fault === undefined) control?.removeAttribute('aria-invalid')
    else {
      control?.setAttribute('aria-invalid', 'true')
      first ??= control ?? undefined
    }
  }
  if (goes) first?.focus()
}
