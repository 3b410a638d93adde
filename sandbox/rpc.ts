/** One call of a JSON-RPC batch. */
export type RpcCall = readonly [method: string, ...params: unknown[]]

type RpcAnswer = {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** Sends the calls as one request and returns the results in their order. @throws when one of them fails. */
export async function rpcBatch(rpcUrl: string, calls: readonly RpcCall[], timeoutMs = 20_000): Promise<unknown[]> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const answers = new Map(((await response.json()) as RpcAnswer[]).map((answer) => [answer.id, answer]))
  return calls.map(([method], id) => {
    const answer = answers.get(id)
    if (answer === undefined) throw new Error(`The chain did not answer ${method}.`)
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result
  })
}

/** Sends one call. @throws when it fails. */
export async function rpc(rpcUrl: string, ...call: RpcCall): Promise<unknown> {
  const [result] = await rpcBatch(rpcUrl, [call])
  return result
}

/** Calls `read` until it returns something, for at most `timeoutMs`. @throws when the time is over. */
export async function poll<T>(read: () => Promise<T | undefined>, what: string, timeoutMs: number): Promise<T> {
  const end = performance.now() + timeoutMs
  for (let waitMs = 5; ; waitMs = Math.min(waitMs * 1.5, 100)) {
    const value = await read()
    if (value !== undefined) return value
    if (performance.now() > end) throw new Error(`Waited ${timeoutMs} ms for ${what}, which did not come.`)
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}
