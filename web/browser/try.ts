/** The form of a tool's page: it fills in the code below it, asks, pays and shows the answer. */
import { codeSamplesOf } from '../../src/describe/code-samples.ts'
import { pageData } from './data.ts'
import { find } from './dom.ts'
import { exchange } from './exchange.ts'
import { createFlow } from './flow.ts'
import { readForm, showFault, showWrong } from './input.ts'

const data = pageData()
const form = find('form[data-try]', HTMLFormElement)
const button = find('[data-run]', HTMLButtonElement, form)
const flow = createFlow({
  data,
  place: data.slug,
  send: (input, headers = {}, query = '') =>
    exchange('POST', `${data.path}${query}`, { 'content-type': 'application/json', ...headers }, input),
  steps: find('[data-steps]', HTMLElement),
  result: find('[data-result]', HTMLElement),
  wrong: (field, message) => showWrong(form, { [field]: message }),
  busy: (isBusy) => {
    button.disabled = isBusy
    form.setAttribute('aria-busy', String(isBusy))
  },
})

form.addEventListener('submit', (event) => {
  event.preventDefault()
  const read = readForm(form)
  showWrong(form, read.wrong ?? {})
  if (read.wrong === undefined) flow.run(JSON.stringify(read.input))
})
form.addEventListener('input', () => {
  showWrong(form, {})
  fillSamples()
})

/** The code below the form calls with what stands in the form. */
function fillSamples(): void {
  const read = readForm(form)
  if (read.wrong !== undefined) return
  const config = { ...data, baseUrl: data.origin }
  const samples = codeSamplesOf(data, config, read.input)
  for (const place of document.querySelectorAll('[data-sample]')) {
    const sample = samples.find(({ client }) => client === place.getAttribute('data-sample'))
    const code = place.querySelector('code')
    if (sample !== undefined && code !== null && code.textContent !== sample.code) code.textContent = sample.code
  }
}

for (const area of form.querySelectorAll<HTMLTextAreaElement>('[data-json]')) {
  // Two spaces stand for a tab, which itself goes on to the next field.
  area.addEventListener('change', () => {
    try {
      area.value = JSON.stringify(JSON.parse(area.value), null, 2)
    } catch {
      showFault(form, area)
    }
  })
}

button.disabled = false
fillSamples()
flow.resume()
