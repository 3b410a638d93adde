// Pays for one call after the other until it is killed: node buyer-start.ts <server> <journal> <first call> <dollars>
import { createPayer } from '../../transports/client/client.ts'

const [url = '', journal = '', from = '0', dollars = '1'] = process.argv.slice(2)
const payer = await createPayer({ journal, budget: { perDay: dollars } })
for (let call = Number(from); ; call += 1) {
  const response = await payer.fetch(`${url}/call/${call}`, { method: 'POST', body: '{}' })
  if (response.status !== 200) throw new Error(`Call ${call} was answered ${response.status}.`)
  process.stdout.write(`${call}\n`)
}
