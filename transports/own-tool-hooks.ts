/**
 * Hooks of Node's module loader for the operator's own tools. Where Node can, they run in the thread that loads the tools;
 * before, in a thread that the loader makes for them, and each file costs a question to that thread.
 */
import { readFileSync, realpathSync } from 'node:fs'
import * as loader from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

let library = ''

export const initialize: loader.InitializeHook<{ readonly library: string }> = (data) => {
  library = data.library
}

/**
 * Node reads TypeScript by itself from 22.18 on. Types are taken away here all the same: Node loads a compiler for it,
 * and reads each file several times.
 */
const readsTypes = process.features.typescript !== undefined && process.features.typescript !== false

/** Puts the hooks into this thread; false where this Node can only run them in another. */
export async function hookHere(libraryUrl: string): Promise<boolean> {
  if (!readsTypes || !('registerHooks' in loader)) return false
  library = libraryUrl
  const { transform } = await import('sucrase')
  loader.registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier === 'tollgate') return ownLibrary()
      return asGiven(specifier) ?? asRead(next(specifier, context), context.parentURL)
    },
    load: (url, context, next) => {
      const source = isOwnFile(url) && isTypeScript(url) ? withoutTypes(url, transform) : undefined
      return source === undefined
        ? next(url, { ...context, format: formatOf(url, context.format) })
        : { format: 'module', source, shortCircuit: true }
    },
  })
  return true
}

/** A TypeScript file that was found where it is: Node would read it to find out what it is. */
function asGiven(specifier: string) {
  if (!specifier.startsWith('file:') || !isTypeScript(specifier) || !isOwnFile(specifier)) return undefined
  const url = new URL(specifier)
  const path = fileURLToPath(url)
  // What a tool imports lies beside the file, and not beside a link to it.
  const real = realpathSync.native(path)
  if (real === path) return { url: specifier, format: 'module', shortCircuit: true }
  return { url: `${pathToFileURL(real).href}${url.search}`, format: 'module', shortCircuit: true }
}

/** Undefined where the file is better read by Node, which says what is wrong with it. */
function withoutTypes(url: string, transform: Transform): string | undefined {
  try {
    return javaScriptOf(url, transform)
  } catch {
    // Syntax that one of the two does not know.
    return undefined
  }
}

type Transform = typeof import('sucrase').transform

function javaScriptOf(url: string, transform: Transform): string {
  const filePath = fileURLToPath(url)
  return transform(readFileSync(filePath, 'utf8'), {
    transforms: ['typescript'],
    disableESTransforms: true,
    filePath,
  }).code
}

export const resolve: loader.ResolveHook = async (specifier, context, next) =>
  specifier === 'tollgate' ? ownLibrary() : asRead(await next(specifier, context), context.parentURL)

export const load: loader.LoadHook = async (url, context, next) => {
  if (readsTypes || !isOwnFile(url) || !isTypeScript(url)) {
    return next(url, { ...context, format: formatOf(url, context.format) })
  }
  const { transform } = await import('sucrase')
  return { format: 'module', source: javaScriptOf(url, transform), shortCircuit: true }
}

/** `tollgate` is the program that runs, whichever copy is installed beside the tools, or none. */
function ownLibrary() {
  return { url: library, shortCircuit: true }
}

/** A tool that is read again brings the files beside it, which may have changed too. */
function asRead<T extends { readonly url: string }>(resolved: T, parent: string | undefined): T {
  if (parent === undefined || !parent.includes(`${readingName}=`)) return resolved
  const reading = URL.parse(parent)?.searchParams.get(readingName) ?? null
  if (reading === null || !isOwnFile(resolved.url)) return resolved
  const url = new URL(resolved.url)
  url.searchParams.set(readingName, reading)
  return { ...resolved, url: url.href }
}

const readingName = 'tollgate-reading'

/** A line that begins as only those of modules do. */
const moduleSyntax = /^(?:import\b(?!\s*\()|export\b)/m

/** Tools are modules, whatever the package around them says: `npm init` writes that its files are CommonJS. */
function formatOf(url: string, given: string | null | undefined) {
  if (!isOwnFile(url)) return given
  if (isTypeScript(url)) return 'module-typescript'
  const isScript = /^[^?]*\.js(?:\?|$)/.test(url) && given === 'commonjs'
  return isScript && moduleSyntax.test(readFileSync(fileURLToPath(url), 'utf8')) ? 'module' : given
}

function isTypeScript(url: string): boolean {
  return /^[^?]*\.m?ts(?:\?|$)/.test(url)
}

function isOwnFile(url: string): boolean {
  return url.startsWith('file:') && !url.includes('/node_modules/')
}
