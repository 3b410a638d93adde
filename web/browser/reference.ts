/** The API reference: loads its renderer, and draws this server's own OpenAPI document in the colours of the page. */
import { find, isRecord } from './dom.ts'

type Renderer = {
  readonly init: (document: string, options: unknown, place: Element, done: (error?: Error) => void) => void
}

const place = find('[data-reference]', HTMLElement)
const { reference = '', document: address = '' } = place.dataset

const code = document.createElement('script')
code.src = reference
code.addEventListener('load', draw)
code.addEventListener('error', () => say('The reference could not be loaded. Load the page again.'))
document.head.append(code)

function say(words: string): void {
  const note = document.createElement('p')
  note.textContent = words
  place.replaceChildren(note)
}

function draw(): void {
  const renderer: unknown = Reflect.get(globalThis, 'Redoc')
  if (!isRenderer(renderer)) return say('The reference could not be drawn.')
  renderer.init(address, optionsOf(getComputedStyle(place)), place, (error) => {
    if (error !== undefined) say('The document of this server could not be read.')
  })
}

function isRenderer(value: unknown): value is Renderer {
  return isRecord(value) && typeof value['init'] === 'function'
}

/**
 * Its words are cleaned (tools' descriptions may be anybody's). Its colours are those of the light pages: some of the
 * renderer's own cannot be changed, and cannot be read on a dark ground.
 */
function optionsOf(style: CSSStyleDeclaration): unknown {
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  const text = { primary: colour('ink'), secondary: colour('soft') }
  const fontFamily = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'
  const mono = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace'
  return {
    sanitize: true,
    hideDownloadButtons: true,
    hideLoading: true,
    nativeScrollbars: true,
    expandResponses: '200',
    sortRequiredPropsFirst: true,
    theme: {
      colors: {
        primary: { main: colour('accent') },
        text,
        border: { dark: colour('line'), light: colour('line') },
        responses: {
          success: { color: colour('accent'), backgroundColor: colour('code') },
          error: { color: colour('bad'), backgroundColor: colour('code') },
          redirect: { color: colour('warn'), backgroundColor: colour('code') },
          info: { color: colour('soft'), backgroundColor: colour('code') },
        },
      },
      schema: {
        nestedBackground: colour('code'),
        linesColor: colour('line'),
        typeNameColor: text.secondary,
        typeTitleColor: text.secondary,
        requireLabelColor: colour('bad'),
      },
      typography: {
        fontFamily,
        fontSize: '16px',
        headings: { fontFamily },
        code: { fontFamily: mono, color: colour('ink'), backgroundColor: colour('code') },
        links: { color: colour('accent') },
      },
      sidebar: { backgroundColor: colour('ground'), textColor: text.primary },
      rightPanel: { backgroundColor: '#1d2723', textColor: '#e8eeeb' },
    },
  }
}
