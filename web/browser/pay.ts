/** The page behind URL elicitation: one call that a program asked for, paid for here. */
import { pageData } from './data.ts'
import { find } from './dom.ts'
import { exchange } from './exchange.ts'
import { createFlow } from './flow.ts'
import { keptAt } from './kept.ts'

const data = pageData()
const start = find('[data-start]', HTMLElement)
const flow = createFlow({
  data,
  place: data.path,
  // What is called with is known to the server; the page can change nothing of it.
  send: (_input, headers = {}) => exchange('POST', data.path, headers, undefined),
  steps: find('[data-steps]', HTMLElement),
  result: find('[data-result]', HTMLElement),
  wrong: () => {},
  busy: (isBusy) => {
    start.textContent = isBusy ? 'Working …' : ''
  },
  answered: 'Paid. Go back to your client: it gets this answer when it asks again.',
})

if (keptAt(data.path) === undefined) flow.run('{}')
else {
  start.textContent = ''
  flow.resume()
}
