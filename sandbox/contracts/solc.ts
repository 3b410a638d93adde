import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import { z } from 'zod'

const require = createRequire(import.meta.url)

const code = z.object({ object: z.string().regex(/^[0-9a-f]*$/) })
const outputSchema = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  // Missing where there was an error.
  contracts: z
    .record(
      z.string(),
      z.record(
        z.string(),
        z.object({
          abi: z.array(z.unknown()),
          evm: z.object({ bytecode: code, deployedBytecode: code.default({ object: '' }) }),
        }),
      ),
    )
    .default({}),
})

/** A contract of one of the sources or of a package they import. `0x` is code that the settings do not ask for. */
export type CompiledContract = {
  readonly file: string
  readonly name: string
  readonly artifact: { readonly abi: readonly unknown[]; readonly bytecode: string; readonly deployedBytecode: string }
}

/**
 * Compiles Solidity sources, by file name; imports come from the installed packages.
 * @throws with what the compiler says.
 */
export async function compileSolidity(
  sources: Iterable<readonly [file: string, content: string]>,
  settings: Readonly<Record<string, unknown>>,
): Promise<{
  readonly contracts: readonly CompiledContract[]
  readonly warnings: readonly string[]
  readonly compiler: string
}> {
  // The compiler is nine megabytes of WebAssembly: it is loaded only when there is something to compile.
  const { default: solc } = await import('solc')
  const answer: unknown = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: Object.fromEntries([...sources].map(([file, content]) => [file, { content }])),
        settings,
      }),
      { import: readImport },
    ),
  )
  const { errors, contracts } = outputSchema.parse(answer)
  const textOf = (isFatal: boolean): readonly string[] =>
    errors.filter(({ severity }) => (severity === 'error') === isFatal).map(({ formattedMessage }) => formattedMessage)
  if (textOf(true).length > 0) throw new Error(textOf(true).join('\n'))
  return {
    compiler: solc.version(),
    warnings: textOf(false),
    contracts: Object.entries(contracts).flatMap(([file, named]) =>
      Object.entries(named).map(([name, { abi, evm }]) => ({
        file,
        name,
        artifact: {
          abi,
          bytecode: `0x${evm.bytecode.object}`,
          deployedBytecode: `0x${evm.deployedBytecode.object}`,
        },
      })),
    ),
  }
}

function readImport(path: string): { readonly contents: string } | { readonly error: string } {
  try {
    return { contents: readFileSync(require.resolve(path), 'utf8') }
  } catch {
    return { error: `"${path}" is not installed.` }
  }
}
