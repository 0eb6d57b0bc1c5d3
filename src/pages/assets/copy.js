// Buttons that copy an element of the page, or the sample that they are on, or print. Without this script they are not shown.
document.documentElement.classList.add('scripted')

document.addEventListener('click', async ({ target }) => {
  if (target instanceof Element && target.closest('button[data-print]')) return print()
  const button = target instanceof Element ? target.closest('button[data-copy]') : null
  const id = button?.dataset.copy
  const source = id ? document.getElementById(id) : button?.closest('figure').querySelector('pre code')
  if (!source) return
  const words = button.querySelector('span')
  const { copied, byHand } = button.dataset
  const before = words.textContent
  if (before === copied || before === byHand) return
  words.textContent = (await copy(source)) ? copied : byHand
  setTimeout(() => {
    words.textContent = before
  }, 2000)
})

/** By the clipboard where the browser lets us (https), else by selecting it as a person would. */
async function copy(source) {
  const items = source.matches('ul') ? [...source.children] : [source]
  try {
    await navigator.clipboard.writeText(items.map(({ textContent }) => textContent).join('\n'))
    return true
  } catch {
    getSelection()?.selectAllChildren(source)
    return document.execCommand('copy')
  }
}
