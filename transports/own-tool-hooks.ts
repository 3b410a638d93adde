/** Hooks of Node's module loader for the operator's own tools; they run in a thread that the loader makes for them. */
import { readFile } from 'node:fs/promises'
import type { InitializeHook, LoadHook, ResolveHook } from 'node:module'
import { fileURLToPath } from 'node:url'

let library = ''

/** A line that begins as only those of modules do. */
const moduleSyntax = /^(?:import\b(?!\s*\()|export\b)/m

export const initialize: InitializeHook<{ readonly library: string }> = (data) => {
  library = data.library
}

/** `tollgate` is the program that runs, whichever copy is installed beside the tools, or none. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  if (specifier === 'tollgate') return { url: library, shortCircuit: true }
  const resolved = await next(specifier, context)
  // A tool that is read again brings the files beside it, which may have changed too.
  const reading = URL.parse(context.parentURL ?? '')?.searchParams.get('tollgate-reading') ?? null
  if (reading === null || !resolved.url.startsWith('file:') || resolved.url.includes('/node_modules/')) return resolved
  const url = new URL(resolved.url)
  url.searchParams.set('tollgate-reading', reading)
  return { ...resolved, url: url.href }
}

/**
 * Tools are modules, whatever the package around them says: `npm init` writes that its files are CommonJS. Node reads
 * TypeScript by itself from 22.18 on; before, its types are taken away here.
 */
export const load: LoadHook = async (url, context, next) => {
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return next(url, context)
  if (/^[^?]*\.js(?:\?|$)/.test(url)) {
    const isModule = context.format === 'commonjs' && moduleSyntax.test(await readFile(fileURLToPath(url), 'utf8'))
    return next(url, isModule ? { ...context, format: 'module' } : context)
  }
  if (!/^[^?]*\.m?ts(?:\?|$)/.test(url)) return next(url, context)
  if (process.features.typescript !== undefined && process.features.typescript !== false) {
    return next(url, { ...context, format: 'module-typescript' })
  }
  const { transform } = await import('sucrase')
  const path = fileURLToPath(url)
  const { code } = transform(await readFile(path, 'utf8'), {
    transforms: ['typescript'],
    disableESTransforms: true,
    filePath: path,
  })
  return { format: 'module', source: code, shortCircuit: true }
}
