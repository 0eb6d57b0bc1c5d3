// The gallery of a listing: arrows, thumbnails and full screen. Without this script the photos are a row that scrolls.
for (const gallery of document.querySelectorAll('[data-gallery]')) {
  document.documentElement.classList.add('scripted')
  const row = gallery.querySelector('ul')
  const photos = [...row.querySelectorAll('a')]
  const thumbnails = [...gallery.querySelectorAll('[data-thumbnail]')]
  const counters = [...gallery.querySelectorAll('[data-count]')]
  const viewer = gallery.querySelector('dialog')
  const large = viewer.querySelector('img')
  let at = 0

  const leftOf = (index) => photos[index].parentElement.offsetLeft - photos[0].parentElement.offsetLeft

  function mark(index) {
    at = index
    for (const [each, thumbnail] of thumbnails.entries()) {
      if (each === at) thumbnail.setAttribute('aria-current', 'true')
      else thumbnail.removeAttribute('aria-current')
    }
    for (const counter of counters) counter.textContent = `${at + 1} / ${photos.length}`
    if (!viewer.open) return
    large.src = photos[at].href
    large.alt = photos[at].querySelector('img').alt
  }

  function show(index) {
    const next = (index + photos.length) % photos.length
    row.scrollTo({ left: leftOf(next) })
    mark(next)
  }

  // A swipe moves the row by itself.
  row.addEventListener('scrollend', () => {
    const distances = photos.map((_, index) => Math.abs(leftOf(index) - row.scrollLeft))
    mark(distances.indexOf(Math.min(...distances)))
  })
  for (const button of gallery.querySelectorAll('[data-step]'))
    button.addEventListener('click', () => show(at + Number(button.dataset.step)))
  for (const [index, thumbnail] of thumbnails.entries())
    thumbnail.addEventListener('click', (event) => {
      event.preventDefault() // without the script the link moves the page
      show(index)
    })
  for (const [index, photo] of photos.entries())
    photo.addEventListener('click', (event) => {
      event.preventDefault()
      viewer.showModal()
      show(index)
    })
  gallery.querySelector('[data-open]').addEventListener('click', () => {
    viewer.showModal()
    mark(at)
  })
  viewer.querySelector('[data-close]').addEventListener('click', () => viewer.close())
  viewer.addEventListener('click', ({ target }) => {
    if (target === viewer) viewer.close()
  })
  gallery.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!step) return
    event.preventDefault()
    show(at + step)
  })
}
