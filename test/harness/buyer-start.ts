// Pays for one call after the other until it is killed:
// node buyer-start.ts <address, "{n}" for the call> <journal> <first call> <dollars a day> [<dollars paid ahead>]
import { flushCompileCache } from 'node:module'

import { createPayer } from '../../transports/client/client.ts'

const [url = '', journal = '', from = '0', dollars = '1', prepaid] = process.argv.slice(2)
const payer = await createPayer({
  journal,
  budget: { perDay: dollars },
  ...(prepaid === undefined ? {} : { prepaid }),
})
// Node writes its compile cache at exit, and this process is killed instead.
flushCompileCache()
for (let call = Number(from); ; call += 1) {
  const response = await payer.fetch(url.replace('{n}', String(call)), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: String(call) }),
  })
  if (response.status !== 200) throw new Error(`Call ${call} was answered ${response.status}.`)
  process.stdout.write(`${call}\n`)
}
