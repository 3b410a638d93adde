import { z } from 'zod'

import { UpstreamError } from '../../errors.ts'
import type { LookUp } from './viem.ts'
import type { Web } from '../http/web.ts'

/** ERC-3668 through the guarded web client: the addresses come from a contract. @throws UpstreamError */
export function lookUpThrough(web: Web): LookUp {
  return async ({ data, sender, urls }) => {
    let last: unknown
    for (const template of urls.slice(0, 3)) {
      const url = template.replaceAll('{sender}', sender.toLowerCase()).replaceAll('{data}', data)
      const isGet = template.includes('{data}')
      try {
        const { status, text } = await web.fetch(
          url,
          isGet
            ? {}
            : {
                method: 'POST',
                headers: { 'content-type': 'application/json' },
                body: JSON.stringify({ data, sender }),
              },
        )
        if (status === 200) return lookedUp.parse(JSON.parse(text)).data
      } catch (error) {
        last = error
      }
    }
    throw new UpstreamError('mainnet-rpc', 'An off-chain part of the name service did not answer.', { cause: last })
  }
}

const lookedUp = z.looseObject({ data: z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]*$/)]) })
