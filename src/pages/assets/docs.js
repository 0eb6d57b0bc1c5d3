// The documentation pages: copy buttons, a menu that follows the reader, and search as one types. All of it works less
// comfortably without this script: texts can be selected, links followed, and the search form sent. copy.js handles the buttons.

const template = document.getElementById('copiar')
for (const figure of document.querySelectorAll('figure.code')) {
  const button = template?.content.firstElementChild?.cloneNode(true)
  if (button) (figure.querySelector('figcaption p') ?? figure.querySelector('figcaption')).append(button)
}

const menu = document.querySelector('.docs-menu')
const links = new Map()
for (const link of menu?.querySelectorAll('a[href^="#"]') ?? []) {
  const target = document.getElementById(decodeURIComponent(link.hash.slice(1)))
  if (target) links.set(target, link)
}
const near = new Set()
let current
/** What is in the upper third of the screen is being read; of a section and its parts, the part. */
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) near[isIntersecting ? 'add' : 'delete'](target)
    const link = links.get([...links.keys()].filter((target) => near.has(target)).at(-1))
    if (link) follow(link)
  },
  { rootMargin: '0px 0px -67% 0px' },
)
for (const target of links.keys()) observer.observe(target)

function follow(link) {
  if (link === current) return
  current?.removeAttribute('aria-current')
  current = link
  link.setAttribute('aria-current', 'location')
  reveal(link)
}

/** Scrolls the menu, and nothing else. */
function reveal(link) {
  const [item, box] = [link.getBoundingClientRect(), menu.getBoundingClientRect()]
  if (item.top < box.top || item.bottom > Math.min(box.bottom, innerHeight))
    menu.scrollTop += item.top - box.top - box.height / 3
}

const here = menu?.querySelector('[aria-current]')
if (here) reveal(here)

// On a telephone the menu covers the text: it closes where a link leads to another part of it.
menu?.addEventListener('click', ({ target }) => {
  const sheet = menu.closest('[popover]')
  if (target.closest('a[href^="#"]') && sheet?.matches(':popover-open')) sheet.hidePopover()
})

const form = document.querySelector('form.docs-search')
const field = form?.querySelector('input[type="search"]')
const found = form?.querySelector('.docs-found')
let waiting
let latest = ''

field?.addEventListener('input', () => {
  clearTimeout(waiting)
  waiting = setTimeout(search, 150)
})

async function search() {
  const query = field.value.trim()
  latest = query
  if (query.length < 2) return close()
  const answer = await fetch(`${form.action}?q=${encodeURIComponent(query)}&idioma=${document.documentElement.lang}`, {
    headers: { 'hx-request': 'true' },
  }).catch(() => undefined)
  const html = answer?.ok ? await answer.text() : undefined
  if (html === undefined || latest !== query) return // the reader has typed on
  found.innerHTML = html
  found.hidden = false
}

function close() {
  latest = ''
  if (found) found.hidden = true
}

form?.addEventListener('keydown', (event) => {
  const results = [...found.querySelectorAll('a')]
  if (event.key === 'Escape') {
    close()
    field.focus()
  }
  if ((event.key !== 'ArrowDown' && event.key !== 'ArrowUp') || found.hidden || results.length === 0) return
  event.preventDefault()
  const at = results.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1)
  ;(results[at] ?? field).focus()
})
document.addEventListener('click', ({ target }) => {
  const inForm = target instanceof Element && target.closest('form.docs-search')
  if (!inForm || target.closest('.docs-found a')) close()
})
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input, textarea, select')) return
  event.preventDefault()
  field?.focus()
})
