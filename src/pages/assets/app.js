// Filters that apply themselves, the dialog that goes anywhere, what the bars of a chart say, and double clicks. Without this
// script a button sends the filters, the search is a page, and the browser shows the titles of the bars.
document.documentElement.classList.add('scripted')

// A double click sends a form once: the browser would show the answer to the second request.
const DOUBLE_CLICK_MS = 1000
const sentAt = new WeakMap()
document.addEventListener('submit', (event) => {
  const { target, submitter, timeStamp, defaultPrevented } = event
  if (defaultPrevented || target.getAttribute('method') !== 'post') return
  const pressed = submitter ?? target
  if (timeStamp - sentAt.get(pressed) < DOUBLE_CLICK_MS) event.preventDefault()
  else sentAt.set(pressed, timeStamp)
})

const TYPING_MS = 350
const applied = (target) => target.form?.matches('form.filter[hx-target]')
let typing

document.addEventListener('change', ({ target }) => {
  if (!applied(target)) return
  clearTimeout(typing)
  target.form.requestSubmit()
})
document.addEventListener('input', ({ target }) => {
  if (!applied(target) || target.type !== 'search') return
  clearTimeout(typing)
  typing = setTimeout(() => target.form.requestSubmit(), TYPING_MS)
})
document.addEventListener('submit', ({ target, submitter }) => {
  if (!target.matches('form.filter')) return
  clearTimeout(typing)
  if (submitter && target.matches(':popover-open')) target.hidePopover() // on a telephone the filters cover the list
})
// The address follows, so that the list can be reloaded, sent to a colleague or kept.
document.addEventListener('htmx:after:swap', ({ target }) => {
  const list = target.matches('form.filter[hx-target]') && document.getElementById('registro')
  if (list) history.replaceState(history.state, '', list.dataset.href)
})

// Rows that could not be replaced look like what the filters found.
const setFilterNotice = (hidden) => (event) => {
  if (event.target.matches('form.filter[hx-target]')) document.getElementById('sin-filtrar').hidden = hidden
}
document.addEventListener('htmx:before:request', setFilterNotice(true))
document.addEventListener('htmx:error', setFilterNotice(false))
document.addEventListener('htmx:response:error', setFilterNotice(false))

// A live list that could not refresh itself says so until it can again.
function setStale({ target, type, detail }) {
  if (!target.matches('#registro[hx-get]')) return
  target.classList.toggle('stale', type === 'htmx:error' || detail.ctx.response.status >= 400)
}
document.addEventListener('htmx:after:request', setStale)
document.addEventListener('htmx:error', setStale)

let goTo
document.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
  event.preventDefault()
  goTo ??= makeGoTo()
  if (goTo.dialog.open) goTo.dialog.close()
  else goTo.open()
})
document.querySelector('.go-to-link')?.addEventListener('click', (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  goTo ??= makeGoTo()
  goTo.open()
})

function makeGoTo() {
  document.body.append(document.getElementById('ir').content.cloneNode(true))
  const dialog = document.body.lastElementChild
  const form = dialog.querySelector('form')
  const [text, found] = [form.querySelector('[type=search]'), form.querySelector('[aria-live]')]
  let latest = 0

  async function search() {
    const mine = ++latest
    const body = new URLSearchParams(new FormData(form))
    body.set('en', location.pathname)
    const init = { method: 'POST', body, headers: { 'hx-request': 'true' } }
    const answer = await fetch(form.action, init).catch(() => undefined)
    if (answer?.headers.has('hx-refresh')) return location.reload() // the session has ended
    const html = answer?.ok ? await answer.text() : ''
    if (mine === latest) found.innerHTML = html // else the person has typed on
  }

  text.addEventListener('input', () => {
    clearTimeout(typing)
    typing = setTimeout(search, TYPING_MS)
  })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    clearTimeout(typing)
    await search()
    found.querySelector('a')?.click()
  })
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close()
  })
  dialog.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const links = [...found.querySelectorAll('a')]
    if (!step || links.length === 0) return
    event.preventDefault()
    ;(links[links.indexOf(document.activeElement) + step] ?? text).focus()
  })
  return {
    dialog,
    open() {
      dialog.showModal()
      text.select()
      search()
    },
  }
}

const explained = new WeakMap()
for (const svg of document.querySelectorAll('.plot > svg')) explainBars(svg)
// A refreshed part has its charts as the server wrote them.
document.addEventListener('htmx:after:swap', () => {
  for (const svg of document.querySelectorAll('.plot:not(:has(> .tip)) > svg')) explainBars(svg)
})

function explainBars(svg) {
  explained.get(svg)?.abort()
  const controller = new AbortController()
  explained.set(svg, controller)
  const listen = (type, listener) => svg.addEventListener(type, listener, { signal: controller.signal })
  const plot = svg.parentElement
  const bars = [...svg.querySelectorAll('.bar')]
  const texts = bars.map((bar) => {
    const title = bar.querySelector('title')
    title.remove() // the browser would show it too
    return title.textContent.split('\n')
  })
  const tip = document.createElement('div')
  tip.className = 'tip'
  tip.setAttribute('role', 'status')
  tip.hidden = true
  plot.append(tip)
  svg.tabIndex = 0
  let chosen = -1

  function choose(index) {
    if (index === chosen) return
    bars[chosen]?.classList.remove('chosen')
    chosen = index
    tip.hidden = chosen < 0
    if (chosen < 0) return
    bars[chosen].classList.add('chosen')
    const [label, ...counts] = texts[chosen]
    const head = document.createElement('strong')
    head.textContent = label
    tip.replaceChildren(
      head,
      ...counts.map((count) => Object.assign(document.createElement('div'), { textContent: count })),
    )
    const [frame, bar] = [plot.getBoundingClientRect(), bars[chosen].querySelector('.hit').getBoundingClientRect()]
    const left = bar.left + bar.width / 2 - frame.left - tip.offsetWidth / 2
    tip.style.left = `${Math.max(0, Math.min(left, frame.width - tip.offsetWidth))}px`
    tip.style.top = `${Math.max(0, bar.top - frame.top - tip.offsetHeight / 2)}px`
  }

  const under = ({ target }) => bars.indexOf(target.closest('.bar'))
  listen('pointermove', (event) => choose(under(event)))
  listen('pointerdown', (event) => choose(under(event)))
  listen('pointerleave', ({ pointerType }) => {
    if (pointerType === 'mouse') choose(-1) // a finger leaves at once: what it chose stays
  })
  listen('blur', () => choose(-1))
  listen('keydown', (event) => {
    const last = bars.length - 1
    const next = {
      ArrowLeft: chosen < 0 ? last : Math.max(0, chosen - 1),
      ArrowRight: Math.min(last, chosen + 1),
      Home: 0,
      End: last,
      Escape: -1,
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    choose(next)
  })
}
