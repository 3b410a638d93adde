/**
 * All that runs in a browser: copy buttons, and the filter of the list of tools. Pages are whole without it.
 * The filter's state is the address, so that a filtered list can be sent to somebody.
 */
export const script = `
for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.closest('figure').querySelector('code').textContent)
    button.textContent = 'Copied'
    setTimeout(() => { button.textContent = 'Copy' }, 1500)
  })
}
const form = document.querySelector('[data-filter]')
if (form) {
  const cards = [...document.querySelectorAll('[data-tool]')]
  const count = document.querySelector('[data-count]')
  const apply = () => {
    const words = form.q.value.toLowerCase().split(/\\s+/).filter(Boolean)
    const access = form.access.value
    let shown = 0
    for (const card of cards) {
      const fits = words.every((word) => card.dataset.text.includes(word)) && (access === '' || card.dataset.access === access)
      card.hidden = !fits
      if (fits) shown += 1
    }
    for (const group of document.querySelectorAll('[data-group]')) group.hidden = group.querySelector('[data-tool]:not([hidden])') === null
    count.textContent = shown === 1 ? '1 tool' : shown + ' tools'
  }
  const remember = () => {
    const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ''))
    history.replaceState(null, '', query.size === 0 ? location.pathname : '?' + query)
  }
  const query = new URLSearchParams(location.search)
  form.q.value = query.get('q') ?? ''
  form.access.value = query.get('access') ?? ''
  if (form.access.selectedIndex === -1) form.access.value = ''
  form.hidden = false
  form.addEventListener('input', () => { apply(); remember() })
  form.addEventListener('submit', (event) => event.preventDefault())
  apply()
}
`.trim()
