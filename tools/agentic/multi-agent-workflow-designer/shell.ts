import { helpOf } from './plan-tool.ts'
import type { Plan, Step } from './plan.ts'
import { inputHoles, keysOf, textOf, urlParts } from './render.ts'
import type { Hole, Path } from './render.ts'

/**
 * The plan as a bash script: one call per step, in order. Whatever the goal or an answer says reaches bash only inside
 * single quotes or as the value of a variable, so it is never read as code.
 */
export function shellPayload({ steps }: Plan): string {
  const missing = new Map(
    steps.flatMap(({ bindings, tool }) =>
      [...bindings].filter(([, { from }]) => from === 'caller').map(([slot]) => [slot, helpOf(tool, slot)] as const),
    ),
  )
  return [
    '#!/usr/bin/env bash',
    '# Needs bash, curl and jq. Answers go to $PLAN_DIR, a new folder unless it is set; steps that have an answer there are',
    '# not called (and not paid) again. PAYMENT_S1 and the like hold the signed x402 payment of a step: call it once without',
    '# payment, sign the 402 it answers with, set the variable and run this script again with the same PLAN_DIR.',
    'set -euo pipefail',
    'dir="${PLAN_DIR:-$(mktemp -d)}"',
    'mkdir -p "$dir"',
    'printf \'%s\\n\' "answers in $dir" >&2',
    ...Array.from(missing, ([slot, help]) => `: "\${${variableOf(slot)}:?set it to ${help}}"`),
    ...(steps.some((step) => urlParts(step).some((part) => typeof part !== 'string')) ? [uriFunction] : []),
    ...(steps.some(({ tool }) => tool.protocol === 'mcp') ? [mcpFunction] : []),
    ...steps.flatMap(stepLines),
    'printf \'%s\\n\' "$dir"',
    '',
  ].join('\n')
}

const uriFunction = `uri() { jq -rn --arg v "$1" '$v | @uri'; }`

// Streamable HTTP: initialize, say so, call; the answer is JSON or one event, and none at all is a failure.
const mcpFunction = `mcp() { # url tool arguments max-seconds
  local session=() head
  head=$(mktemp)
  local common=(-sS --fail-with-body --max-time "$4" -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' -H 'MCP-Protocol-Version: 2025-06-18')
  curl "\${common[@]}" -D "$head" -o "$head.body" --data-raw '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"workflow-plan","version":"1"}}}' "$1"
  local id
  id=$(tr -d '\\r' <"$head" | sed -n 's/^[Mm][Cc][Pp]-[Ss][Ee][Ss][Ss][Ii][Oo][Nn]-[Ii][Dd]: //p')
  [ -z "$id" ] || session=(-H "Mcp-Session-Id: $id")
  curl "\${common[@]}" \${session[@]+"\${session[@]}"} -o /dev/null --data-raw '{"jsonrpc":"2.0","method":"notifications/initialized"}' "$1"
  curl "\${common[@]}" \${session[@]+"\${session[@]}"} --data-raw "$(jq -cn --arg tool "$2" --argjson input "$3" '{jsonrpc:"2.0",id:1,method:"tools/call",params:{name:$tool,arguments:$input}}')" "$1" | sed 's/^data: //' | jq -cR 'fromjson? | select(type == "object" and .id == 1)'
}`

function stepLines(step: Step): readonly string[] {
  const { id, tool } = step
  const { inputs, holes } = inputHoles(step)
  const parts = urlParts(step)
  const fromSteps = [...holes, ...parts.filter((part) => typeof part !== 'string')].filter(
    ({ binding }) => binding.from === 'step',
  )
  const url = parts
    .map((part) => (typeof part === 'string' ? quote(part) : `"$(uri "$${nameOf(step, part)}")"`))
    .join('')
  const body = holes.length === 0 ? quote(JSON.stringify(inputs)) : `"$input"`
  const seconds = String(Math.min(60, Math.max(5, Math.ceil((tool.latencyMs * 3) / 1000))))
  const pay =
    tool.protocol === 'x402' ? [`-H "PAYMENT-SIGNATURE: \${PAYMENT_${id.toUpperCase()}:?sign the 402 of ${id}}"`] : []
  const curl = ['curl -sS --fail-with-body --max-time', seconds]
  const query = Object.entries(inputs).map(([key, value]) => {
    const hole = holes.find(({ path }) => path.length === 1 && path[0] === key)
    return `--data-urlencode ${hole === undefined ? quote(`${key}=${textOf(value)}`) : `"${key}=$${nameOf(step, hole)}"`}`
  })
  const call =
    tool.protocol === 'mcp'
      ? ['mcp', url, quote(tool.mcpTool ?? tool.slug), body, seconds]
      : tool.method === 'GET'
        ? [...curl, '-H', quote('Accept: application/json'), ...pay, ...(query.length > 0 ? ['-G', ...query] : []), url]
        : [...curl, '-H', quote('Content-Type: application/json'), ...pay, '--data-raw', body, url]
  return [
    '',
    `# ${id}: ${tool.slug}, ${tool.protocol}, $${String(Number(tool.priceMicroUsd) / 1e6)}`,
    `if [ ! -s "$dir/${id}.json" ]; then`,
    ...uniqueBy(fromSteps, (hole) => nameOf(step, hole)).map((hole) => `  ${assignment(step, hole)}`),
    ...(holes.length > 0 && tool.method !== 'GET' ? [`  ${bodyLine(step, inputs, holes)}`] : []),
    `  ${call.join(' ')} >"$dir/${id}.part"`,
    // An empty answer is none; on a line of its own, the test ends the script.
    `  [ -s "$dir/${id}.part" ]`,
    `  mv "$dir/${id}.part" "$dir/${id}.json"`,
    'fi',
  ]
}

function assignment(step: Step, hole: Hole): string {
  const { binding } = hole
  if (binding.from !== 'step') return ':'
  // With -e a missing field stops the script here instead of sending "null" on.
  return `${nameOf(step, hole)}=$(jq -er ${quote(`getpath(${JSON.stringify(keysOf(binding.path))})`)} "$dir/${binding.stepId}.json")`
}

function bodyLine(step: Step, inputs: object, holes: readonly (Hole & { readonly path: Path })[]): string {
  const values = uniqueBy(holes, ({ slot }) => slot).map((hole) => `--arg ${hole.slot} "$${nameOf(step, hole)}"`)
  const sets = holes.map(({ slot, path }) => ` | setpath(${JSON.stringify(path)}; $${slot})`)
  return `input=$(jq -cn --argjson base ${quote(JSON.stringify(inputs))} ${values.join(' ')} ${quote(`$base${sets.join('')}`)})`
}

function nameOf({ id }: Step, { slot, binding }: Hole): string {
  return binding.from === 'step' ? `${id}_${slot}` : variableOf(slot)
}

function variableOf(slot: string): string {
  return `INPUT_${slot.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()}`
}

function uniqueBy<T>(items: readonly T[], key: (item: T) => string): readonly T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()]
}

/** Single quotes, inside which bash reads nothing but the closing quote. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
