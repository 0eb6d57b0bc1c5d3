import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { logInRun } from './run-log.ts'

/** Headless shells come first: they need less CPU. */
const USUAL = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const MISSING = `No browser was found for the tests of the pages. Install one of:
  - Chromium or Chrome from your system's packages (apt install chromium-headless-shell, or chromium)
  - npx playwright-core install --with-deps chromium
or name one that you have: CHROMIUM_PATH=/path/to/chromium npm test`

export const launchBrowser = (): Promise<Browser> => chromium.launch({ executablePath: findBrowser() })

/** CHROMIUM_PATH, one of the usual places, or playwright's own. */
function findBrowser(): string {
  const { CHROMIUM_PATH } = process.env
  if (CHROMIUM_PATH && !existsSync(CHROMIUM_PATH))
    throw new Error(`CHROMIUM_PATH names ${CHROMIUM_PATH}, which does not exist.`)
  const executablePath = [CHROMIUM_PATH ?? '', ...USUAL, chromium.executablePath()].find(
    (path) => path && existsSync(path),
  )
  if (!executablePath) throw new Error(MISSING)
  return executablePath
}

const RESULTS = fileURLToPath(new URL('../../test-results/', import.meta.url))
/** Allowed console messages: responses that refuse on purpose. */
const EXPECTED = /status of (400|403|404|409|410|429)/

/** A context whose requests are logged. */
export async function openContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'es-AR', ...options })
  rememberActs(context)
  return context
}

/**
 * A page for one test. It fails on every browser error (a broken script, a policy violation), and a failed test leaves a
 * screenshot in test-results/.
 */
export async function onNewPage(
  context: BrowserContext,
  name: string,
  story: (page: Page) => Promise<unknown>,
): Promise<void> {
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  try {
    await story(page)
    const faults = complaints.filter((text) => !EXPECTED.test(text))
    if (faults.length > 0) throw new Error(`The browser complains: ${faults.join(' · ')}`)
  } catch (error) {
    const file = `${RESULTS}${name.replace(/[^\p{L}\p{N}]+/gu, '-')}.png`
    await page.screenshot({ path: file, fullPage: true }).catch(() => undefined)
    throw error
  }
}

const noteAct = logInRun('browser')
/** The redirect for users who are not signed in: nothing was done. Signing out leads there too, and counts as done. */
const TURNED_AWAY = /[?&]volver=|^\/entrar(?!\/codigo$|\?salio=)/
/** Actions that answer with a page when they are done. */
const STAYS = [
  /^\/baja\//, // confirms that no more invitations are sent
  /^\/clave$/, // answers the same with and without an account
  /^\/cuenta\/(codigos|telefono|llaves)$/, // shows the recovery codes, once
  /^\/entrar\/codigo\/llave$/, // the same
  /^\/consola\/supresiones$/, // previews an erasure
]

/** True if an action was done: it redirects (303), shows what it created (201), or is one of the above. */
function wasDone(path: string, status: number, location: string): boolean {
  if (status === 200) return STAYS.some((act) => act.test(path))
  return status === 201 || (status === 303 && !TURNED_AWAY.test(location))
}

/**
 * Logs every page seen, file downloaded and action done, for the test that finds those no browser test covers
 * (tests/pages.last.ts).
 */
function rememberActs(context: BrowserContext): void {
  const note = (method: string, url: string) => {
    const { pathname, search } = new URL(url)
    noteAct(`${method}\t${pathname}${search}`)
  }
  context.on('page', (page) => page.on('download', (file) => note('GET', file.url())))
  context.on('response', (response) => {
    const { 'content-type': type = '', location = '' } = response.headers()
    const method = response.request().method()
    const status = response.status()
    const wasSeen = status === 200 && type.startsWith('text/html')
    const { pathname } = new URL(response.url())
    if (method === 'GET' ? wasSeen : wasDone(pathname, status, location)) note(method, response.url())
  })
}
