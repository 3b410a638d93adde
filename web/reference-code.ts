import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

/** The picture of its maker, which the renderer asks another host for; pages here ask nobody else. */
const outside = /https:\/\/cdn\.redoc\.ly\/[\w./-]+/g
const nothing = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='

/** A name of each entry of its menu that is not what is written there. */
const otherName = '"aria-label":e.sidebarLabel,'

/** The renderer, as text and compressed: a megabyte, which is not compressed while others wait for their answers. */
export type ReferenceCode = { readonly code: Buffer; readonly zipped: Buffer }

/** The renderer of the API reference (Redoc), as a browser loads it; the package has it ready made. */
export function loadReferenceCode(): ReferenceCode {
  const file = new URL('../node_modules/redoc/bundles/redoc.standalone.js', import.meta.url)
  const text = readFileSync(file, 'utf8')
    .replaceAll(outside, nothing)
    .replace(otherName, '')
    .replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
  const code = Buffer.from(text, 'utf8')
  return { code, zipped: gzipSync(code) }
}
