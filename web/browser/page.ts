/**
 * What runs on every page: copy buttons and the filter of the list of tools. Pages are whole without it. It is
 * written into the page, so it is small; what a page needs beside it is loaded by its address.
 */
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', () => {
    const text = button.closest('figure')?.querySelector('code')?.textContent ?? ''
    navigator.clipboard.writeText(text).then(
      () => say(button, 'Copied'),
      () => say(button, 'Select it to copy'),
    )
  })
}

function say(button: HTMLButtonElement, words: string): void {
  const before = button.textContent
  button.textContent = words
  setTimeout(() => {
    button.textContent = before
  }, 1500)
}

const live = document.querySelector<HTMLElement>('[data-live]')
if (live !== null) void showHealth(live)

/** How the server is at this moment; where it cannot be asked, the link to its status stays. */
async function showHealth(place: HTMLElement): Promise<void> {
  try {
    const health: unknown = await (await fetch(place.dataset['live'] ?? '')).json()
    const status: unknown = typeof health === 'object' && health !== null ? Reflect.get(health, 'status') : undefined
    if (status === 'ok') place.textContent = 'everything works'
    else if (status === 'degraded') place.textContent = 'something does not work as it should'
  } catch {
    // The page says what it said before.
  }
}

const form = document.querySelector<HTMLFormElement>('[data-filter]')
if (form !== null) startFilter(form)

function startFilter(filter: HTMLFormElement): void {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-tool]')]
  const groups = [...document.querySelectorAll<HTMLElement>('[data-group]')]
  const count = document.querySelector('[data-count]')
  const none = document.querySelector<HTMLElement>('[data-none]')
  const valuesOf = (): Readonly<Record<string, string>> =>
    Object.fromEntries([...new FormData(filter)].map(([name, value]) => [name, typeof value === 'string' ? value : '']))

  const apply = (): void => {
    const { q = '', price = '', ...rest } = valuesOf()
    const words = q.toLowerCase().split(/\s+/).filter(Boolean)
    let shown = 0
    for (const card of cards) {
      const { text = '', usd = '0' } = card.dataset
      const fits =
        words.every((word) => text.includes(word)) &&
        (price === '' || Number(usd) <= Number(price)) &&
        Object.entries(rest).every(([name, value]) => value === '' || card.dataset[name] === value)
      card.hidden = !fits
      if (fits) shown += 1
    }
    for (const group of groups) group.hidden = group.querySelector('[data-tool]:not([hidden])') === null
    if (count !== null) count.textContent = shown === 1 ? '1 tool' : `${shown} tools`
    if (none !== null) none.hidden = shown > 0
  }

  const query = new URLSearchParams(location.search)
  for (const [name, value] of query) {
    const control = filter.elements.namedItem(name)
    if (control instanceof HTMLInputElement) control.value = value
    if (control instanceof HTMLSelectElement && [...control.options].some((one) => one.value === value))
      control.value = value
  }
  filter.hidden = false
  filter.addEventListener('input', () => {
    apply()
    const chosen = new URLSearchParams(Object.entries(valuesOf()).filter(([, value]) => value !== ''))
    history.replaceState(null, '', chosen.size === 0 ? location.pathname : `?${chosen.toString()}`)
  })
  filter.addEventListener('submit', (event) => event.preventDefault())
  filter.addEventListener('reset', () => setTimeout(() => filter.dispatchEvent(new Event('input'))))
  apply()
}

export {}
