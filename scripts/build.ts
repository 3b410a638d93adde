/**
 * Builds the package: one bundle, split so that a command loads only what it needs, and no dependency but the database.
 *
 *     node scripts/build.ts               into dist
 *     node scripts/build.ts --out folder  elsewhere; the folder is emptied first
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { basename } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs, promisify } from 'node:util'

import { build, type Plugin } from 'esbuild'

import { toolPlaces } from '../tools/load.ts'
import { buildApp, buildAssets } from '../web/build-assets.ts'
import { buildGuides } from '../web/build-guides.ts'
import { loadReferenceCode } from '../web/reference-code.ts'
import { noticesOf } from './notices.ts'

const root = new URL('../', import.meta.url)
const { values } = parseArgs({ options: { out: { type: 'string', default: fileURLToPath(new URL('dist', root)) } } })
const dist = pathToFileURL(`${values.out}/`)

/** Registration is by place; a bundle has no places, so the list is written here. */
const toolList: Plugin = {
  name: 'tool-list',
  setup: (bundler) => {
    bundler.onLoad({ filter: /\/tools\/load\.ts$/ }, async () => {
      const places = await toolPlaces()
      const known = places.filter(({ url }) => existsSync(new URL('knowledge.ts', url)))
      const imports = places.map(({ family, slug }, index) => `import tool${index} from './${family}/${slug}/tool.ts'`)
      const names = places.map((place, index) =>
        known.includes(place)
          ? `{ ...tool${index}, knowledge: async () => (await import('tools:knowledge'))['${place.slug}'] }`
          : `tool${index}`,
      )
      return {
        contents: `${imports.join('\n')}\nexport async function loadTools() { return [${names.join(', ')}] }\n`,
        loader: 'ts',
        resolveDir: fileURLToPath(new URL('tools/', root)),
      }
    })
    // What is known of the tools is one file of the bundle, which is read by the first question.
    bundler.onResolve({ filter: /^tools:knowledge$/ }, () => ({ path: 'knowledge', namespace: 'tools' }))
    bundler.onLoad({ filter: /^knowledge$/, namespace: 'tools' }, async () => {
      const places = (await toolPlaces()).filter(({ url }) => existsSync(new URL('knowledge.ts', url)))
      return {
        contents: places
          .map(({ family, slug }) => `export { default as '${slug}' } from './${family}/${slug}/knowledge.ts'`)
          .join('\n'),
        loader: 'ts',
        resolveDir: fileURLToPath(new URL('tools/', root)),
      }
    })
  },
}

/** The renderer of the API reference, which is read when somebody opens that page. */
const referenceFile = 'reference.txt'

/** What runs in a browser is put together here, so that the package needs no compiler; and the guides are put in. */
const assets = buildAssets()
const app = buildApp()
const browserCode: Plugin = {
  name: 'browser-code',
  setup: (bundler) => {
    bundler.onLoad({ filter: /\/web\/assets\.ts$/ }, () => ({
      contents: [
        `const made = ${JSON.stringify({ ...assets, inputs: [] })}`,
        `const app = ${JSON.stringify(app)}`,
        `export const loadAssets = () => made`,
        `export const loadApp = () => app`,
      ].join('\n'),
      loader: 'js',
    }))
    bundler.onLoad({ filter: /\/web\/build-guides\.ts$/ }, () => ({
      contents: `const guides = ${JSON.stringify(buildGuides())}\nexport const buildGuides = () => guides\n`,
      loader: 'js',
    }))
    bundler.onLoad({ filter: /\/web\/reference-code\.ts$/ }, () => ({
      contents: [
        `import { readFileSync } from 'node:fs'`,
        `const read = (name) => readFileSync(new URL(name, import.meta.url))`,
        `export const loadReferenceCode = () => ({ code: read('./${referenceFile}'), zipped: read('./${referenceFile}.gz') })`,
      ].join('\n'),
      loader: 'js',
    }))
  },
}

/** The native code of secp256k1 travels in `dist/prebuilds`, without the packages its own loader would bring along. */
const nativeSecp256k1: Plugin = {
  name: 'native-secp256k1',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^secp256k1$/ }, () => ({ path: 'secp256k1', namespace: 'native' }))
    bundler.onLoad({ filter: /.*/, namespace: 'native' }, () => ({
      contents: [
        `import { fileURLToPath } from 'node:url'`,
        `import load from 'node-gyp-build'`,
        `import wrap from 'secp256k1/lib/index.js'`,
        `const addon = load(fileURLToPath(new URL('.', import.meta.url)))`,
        `export default wrap(new addon.Secp256k1())`,
      ].join('\n'),
      loader: 'js',
      resolveDir: fileURLToPath(root),
    }))
  },
}

/** The words of zod's messages in every language are half of it, and none but the English ones are ever asked for. */
const englishOnly: Plugin = {
  name: 'english-only',
  setup: (bundler) => {
    bundler.onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: `export { default as en } from './en.js'`,
    }))
  },
}

/**
 * The MCP SDK brings a compiler of JSON Schemas, for what a user answers and for what a server does. Nothing here has
 * it check either, and reading the compiler would be a quarter of what a start reads.
 */
const noSchemaCompiler: Plugin = {
  name: 'no-schema-compiler',
  setup: (bundler) => {
    bundler.onLoad({ filter: /\/@modelcontextprotocol\/(?:server|client)\/dist\/shimsNode\.mjs$/ }, () => ({
      contents: [
        `export { default as process } from 'node:process'`,
        `export const CORS_IS_POSSIBLE = false`,
        `export class DefaultJsonSchemaValidator {`,
        `  getValidator() { throw new Error('The bundle leaves out the compiler of JSON Schemas.') }`,
        `}`,
      ].join('\n'),
    }))
  },
}

/**
 * Of undici the bundle has what sends requests, and not its `fetch`, sockets and cookies. Those name the same things of
 * Node, and with that load Node's own copy of undici: 45 ms of the processor at each start, and in each thread.
 */
const undiciAlone: Plugin = {
  name: 'undici-alone',
  setup: (bundler) => {
    bundler.onLoad({ filter: /\/node_modules\/undici\/index\.js$/ }, () => ({
      contents: [
        `Object.assign(require('./lib/dispatcher/dispatcher').prototype, require('./lib/api'))`,
        `exports.Agent = require('./lib/dispatcher/agent')`,
        `exports.Pool = require('./lib/dispatcher/pool')`,
        `exports.buildConnector = require('./lib/core/connect')`,
      ].join('\n'),
      loader: 'js',
    }))
  },
}

/** An `import` of `node:http` reads all its members, and three of them load that copy, too; `require` does not. */
const httpAlone: Plugin = {
  name: 'http-alone',
  setup: (bundler) => {
    const unused = new Set(['CloseEvent', 'MessageEvent', 'WebSocket'])
    const names = Object.keys(http).filter((name) => !unused.has(name))
    bundler.onResolve({ filter: /^(?:node:)?http$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'http', namespace: 'builtin' } : { path: 'node:http', external: true },
    )
    bundler.onLoad({ filter: /^http$/, namespace: 'builtin' }, () => ({
      contents: [
        `const http = process.getBuiltinModule('node:http')`,
        `export default http`,
        `export const { ${names.join(', ')} } = http`,
      ].join('\n'),
      loader: 'js',
    }))
  },
}

const launcher = `#!/usr/bin/env node
// Written for the oldest Node there is, so that it can say what is wrong instead of failing on its own syntax.
var major = Number(process.versions.node.split('.')[0])
if (!(major >= 20)) {
  process.stderr.write('tollgate needs Node.js 20.19 or newer; this is ' + process.version + ' at ' + process.execPath + '\\n')
  process.exit(1)
}
try {
  var cache = require('module')
  if (cache.enableCompileCache) cache.enableCompileCache()
} catch (error) {
  // Only speed is lost.
}
import('./main.js').catch(function (error) {
  process.stderr.write(String((error && error.stack) || error) + '\\n')
  process.exit(1)
})
`

await rm(dist, { recursive: true, force: true })
await mkdir(dist, { recursive: true })
// The compiler and the bundler each keep a core busy for some seconds.
const types = writeTypes(new URL('types/', dist), ['transports/client/client', 'transports/library'])
const result = await build({
  absWorkingDir: fileURLToPath(root),
  entryPoints: {
    main: 'transports/main.ts',
    'tool-thread': 'transports/tool-thread.ts',
    'books-thread': 'transports/books-thread.ts',
    client: 'transports/client/client.ts',
    library: 'transports/library.ts',
    'own-tool-hooks': 'transports/own-tool-hooks.ts',
  },
  outdir: fileURLToPath(dist),
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifyWhitespace: true,
  minifySyntax: true,
  // Node shows the line that an error was thrown on, and shall not show the whole file.
  lineLimit: 160,
  legalComments: 'none',
  mainFields: ['module', 'main'],
  metafile: true,
  external: ['libsql', '@napi-rs/keyring'],
  plugins: [toolList, browserCode, nativeSecp256k1, englishOnly, noSchemaCompiler, undiciAlone, httpAlone],
  // Some bundled packages are CommonJS and call \`require\` for Node's own modules.
  banner: {
    js: `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`,
  },
  logLevel: 'warning',
})
await writeFile(new URL('tollgate.cjs', dist), launcher, { mode: 0o755 })
await cp(new URL('node_modules/secp256k1/prebuilds/', root), new URL('prebuilds/', dist), { recursive: true })
// Each is read from beside the file that asks for it, in the sources and in the bundle alike.
for (const file of ['src/meaning/meaning.bin', 'tools/agentic/mcp-security-scanner/witness/scanner-witness.bin']) {
  await cp(new URL(file, root), new URL(basename(file), dist))
}
const reference = loadReferenceCode()
await writeFile(new URL(referenceFile, dist), reference.code)
await writeFile(new URL(`${referenceFile}.gz`, dist), reference.zipped)
await cp(
  new URL('node_modules/redoc/bundles/redoc.standalone.js.LICENSE.txt', root),
  new URL('reference.LICENSE.txt', dist),
)
await cp(new URL('node_modules/secp256k1/LICENSE', root), new URL('prebuilds/LICENSE', dist))
await writeFile(
  new URL('THIRD-PARTY-NOTICES', dist),
  await noticesOf(
    root,
    [...Object.keys(result.metafile.inputs), ...assets.inputs],
    ['node_modules/@openzeppelin/contracts', 'node_modules/redoc'],
  ),
)

await types

/** The types of modules that can be imported, and of what they name, as the compiler makes them from the sources. */
async function writeTypes(folder: URL, modules: readonly string[]): Promise<void> {
  const all = await mkdtemp(join(tmpdir(), 'types-'))
  try {
    const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root))
    const where = ['--rootDir', fileURLToPath(root), '--outDir', all]
    await promisify(execFile)(process.execPath, [compiler, '--project', 'tsconfig.client.json', ...where], {
      cwd: fileURLToPath(root),
    })
    const wanted = modules.map((module) => `${module}.d.ts`)
    for (const path of wanted) {
      const text = await readFile(join(all, path), 'utf8')
      const target = new URL(path, folder)
      await mkdir(new URL('.', target), { recursive: true })
      await writeFile(target, text.replaceAll(/(from '\.[^']*)\.ts'/g, `$1.js'`))
      for (const [, named = ''] of text.matchAll(/from '(\.[^']*)\.ts'/g)) {
        const next = posix.join(posix.dirname(path), `${named}.d.ts`)
        if (!wanted.includes(next)) wanted.push(next)
      }
    }
  } finally {
    await rm(all, { recursive: true, force: true })
  }
}

const bytes = Object.values(result.metafile.outputs).reduce((sum, output) => sum + output.bytes, 0)
process.stdout.write(
  `dist: ${Object.keys(result.metafile.outputs).length} files, ${(bytes / 1_048_576).toFixed(1)} MiB of JavaScript\n`,
)
