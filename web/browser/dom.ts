import type { html } from 'hono/html'

/** Text with everything escaped that is not a template's own. */
export type Text = ReturnType<typeof html>

/** Shows a template; nothing of others in it is markup, because the template has escaped it. */
export function show(element: Element, text: Text): void {
  element.innerHTML = markupOf(text)
}

/** Adds a template at the end. */
export function append(element: Element, text: Text): void {
  element.insertAdjacentHTML('beforeend', markupOf(text))
}

function markupOf(text: Text): string {
  if (text instanceof Promise) throw new TypeError('A template must not wait for anything.')
  return text.toString()
}

/** An element that the page is known to have. @throws where it has none of that kind. */
export function find<T extends Element>(selector: string, kind: new () => T, within: ParentNode = document): T {
  const found = within.querySelector(selector)
  if (!(found instanceof kind)) throw new Error(`The page has no ${selector}.`)
  return found
}

export type Json = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** JSON, or undefined where a text is none. */
export function parsed(text: string | null): unknown {
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Text as base64 of its UTF-8 bytes. */
export function toBase64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)))
}

/** The text of base64, or an empty one where it is none. */
export function fromBase64(text: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (letter) => letter.codePointAt(0) ?? 0))
  } catch {
    return ''
  }
}

/** Random bytes as hexadecimal; unlike a UUID, they are to be had on a page without TLS too. */
export function randomHex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A value that should be text, or nothing. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
