import type { IncomingMessage, ServerResponse } from 'node:http'

import { CallError, InvalidInputError } from '../../src/errors.ts'
import type { PlayWallet } from '../../web/page-data.ts'
import { sendJson } from './answers.ts'
import { readJsonBody } from './body.ts'

/** Wallets with play money that the pages of a sandbox sign with; nothing else has any. */
export type Play = {
  readonly wallets: readonly PlayWallet[]
  /** Who owns the wallet that is paid. */
  readonly operators: readonly PlayWallet[]
  readonly sign: (name: string, method: string, params: readonly unknown[]) => Promise<string | undefined>
}

export const playPath = '/sandbox/sign'

/** Signs for a page of the sandbox. @throws InvalidInputError where there is nothing to sign. */
export async function answerPlay(request: IncomingMessage, response: ServerResponse, play: Play): Promise<void> {
  if (request.method !== 'POST') {
    throw new CallError('method_not_allowed', 'The sandbox signs what is sent with POST.', {
      headers: { allow: 'POST, OPTIONS' },
    })
  }
  const { value } = await readJsonBody(request, { maxBytes: mostBytes, readLarge: undefined, onLarge: () => {} })
  const asked: Readonly<Record<string, unknown>> =
    typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
  const { wallet, method, params } = asked
  const signature =
    typeof wallet === 'string' && typeof method === 'string' && Array.isArray(params)
      ? await play.sign(wallet, method, params).catch(() => {
          // What cannot be signed is the caller's to correct.
          return undefined
        })
      : undefined
  if (signature === undefined)
    throw new InvalidInputError('/wallet', 'The sandbox has no such wallet, or nothing to sign.')
  sendJson(response, 200, { signature })
}

const mostBytes = 16 * 1_024
