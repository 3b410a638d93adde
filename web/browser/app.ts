/**
 * Runs inside a host of MCP and draws the answer that the host tells it of (MCP Apps, SEP-1865). The published library
 * for this side checks every message by schemas and is half a megabyte; here are the five messages that a drawing
 * needs.
 */
import { html } from 'hono/html'

import { nothingCharged } from '../../src/errors.ts'
import { answerOf } from '../drawings/answer.ts'
import { layOut } from '../drawings/graph-layout.ts'
import { isRecord, type Json, show, textOf } from './dom.ts'

const protocolVersion = '2026-01-26'
const greeting = 1

const host = window.parent
const place = document.querySelector('main') ?? document.body
let input: unknown

/** Who the host is, is not known here; what is sent says nothing but the size of this page. */
function send(message: Json): void {
  host.postMessage({ jsonrpc: '2.0', ...message }, '*')
}

/** What is done when the host tells of something. */
const notices: Readonly<Record<string, (params: Json) => void>> = {
  'ui/notifications/tool-input': (params) => {
    input = params['arguments']
  },
  'ui/notifications/tool-result': draw,
  'ui/notifications/tool-cancelled': () => {
    show(place, html`<p>The call was cancelled, so there is no answer to draw.</p>`)
  },
  'ui/notifications/host-context-changed': obey,
}

addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
  if (source !== host || !isRecord(data) || data['jsonrpc'] !== '2.0') return
  const { id, method } = data
  if (method === undefined) {
    if (id === greeting) greeted(data)
    return
  }
  if (id === undefined) {
    const notice = typeof method === 'string' && Object.hasOwn(notices, method) ? notices[method] : undefined
    notice?.(isRecord(data['params']) ? data['params'] : {})
    return
  }
  const isKnown = method === 'ping' || method === 'ui/resource-teardown'
  send(
    isKnown ? { id, result: {} } : { id, error: { code: -32_601, message: 'This page draws, and does nothing else.' } },
  )
})

function greeted({ result }: Json): void {
  if (!isRecord(result)) return
  if (isRecord(result['hostContext'])) obey(result['hostContext'])
  send({ method: 'ui/notifications/initialized', params: {} })
  new ResizeObserver(tellSize).observe(document.documentElement)
  tellSize()
}

function obey({ theme }: Json): void {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme
}

/** The whole page in height; its width is the host's. */
function tellSize(): void {
  const { width } = document.documentElement.getBoundingClientRect()
  const height = Math.ceil(place.getBoundingClientRect().height)
  send({ method: 'ui/notifications/size-changed', params: { width: Math.ceil(width), height } })
}

function draw({ structuredContent, content, isError }: Json): void {
  const answer = structuredContent === undefined ? textIn(content) : JSON.stringify(structuredContent)
  if (isError !== true) {
    show(place, answerOf(answer, { input, layOut }))
    return
  }
  const isPrice = isRecord(structuredContent) && Array.isArray(structuredContent['accepts'])
  show(
    place,
    isPrice
      ? html`<p>This call costs something and was not paid for yet, so there is nothing to draw. ${nothingCharged}</p>`
      : html`<p>The call was not answered.</p>
          <pre tabindex="0">${textIn(content)}</pre>`,
  )
}

/** The first text of a result. */
function textIn(content: unknown): string {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : []
  return (
    blocks.flatMap((block) => (isRecord(block) && block['type'] === 'text' ? [textOf(block['text'])] : []))[0] ?? ''
  )
}

send({
  id: greeting,
  method: 'ui/initialize',
  params: {
    appInfo: { name: 'tollgate', version: '1' },
    appCapabilities: { availableDisplayModes: ['inline'] },
    protocolVersion,
  },
})
