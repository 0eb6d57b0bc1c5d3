import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { logInRun } from './run-log.ts'

/** Those that open no window come first: they take a third less CPU for the same pages. */
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

/** The variable that says where the browser of the whole run listens. */
const SHARED_BROWSER = 'RODADO_TEST_BROWSER'

/** A real browser without a window: that of the run, of which contexts are one's own, or else one that is started now. */
export async function openBrowser(): Promise<Browser> {
  const shared = process.env[SHARED_BROWSER]
  return shared ? chromium.connect(shared) : chromium.launch({ executablePath: findBrowser() })
}

/** Starts the one that a run shares: its start and its first page take longer than most stories. */
export async function startSharedBrowser(): Promise<{ env: Record<string, string>; stop(): Promise<void> }> {
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false } // they are the runner's
  const server = await chromium.launchServer({ executablePath: findBrowser(), host: '127.0.0.1', ...signals })
  return { env: { [SHARED_BROWSER]: server.wsEndpoint() }, stop: () => server.close() }
}

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
/** What a page may say of itself in the console: an answer that is meant to refuse. */
const EXPECTED = /status of (400|403|404|409|410|429)/

/** A page for one story, in a context of its own. */
export async function onPage(
  browser: Browser,
  name: string,
  options: BrowserContextOptions,
  story: (page: Page) => Promise<unknown>,
): Promise<void> {
  const context = await openContext(browser, options)
  try {
    await onNewPage(context, name, story)
  } finally {
    await context.close()
  }
}

/** A context of which notes are taken. */
export async function openContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  rememberActs(context)
  return context
}

/**
 * A page of its own for one story. It fails on whatever the browser complains about (a script that breaks, something
 * the policy forbids), and a story that fails leaves a picture in test-results/.
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
/** Where who is not signed in is led instead: nothing was done. Who leaves is led there as well, and that is done. */
const TURNED_AWAY = /[?&]volver=|^\/entrar(?!\/codigo$|\?salio=)/
/** The acts that lead nowhere when they are done: a page is all they answer with. */
const STAYS = [
  /^\/baja\//, // says whom no more invitations reach
  /^\/clave$/, // says the same whether there is such an account or not
  /^\/consola\/personal\/acceso\/codigos$/, // shows the recovery codes, once
  /^\/consola\/supresiones$/, // shows what a suppression would reach, before it is done
]

/** Whether an act was done: it leads on (303), shows what it made (201), or is one of those few. */
function wasDone(path: string, status: number, location: string): boolean {
  if (status === 200) return STAYS.some((act) => act.test(path))
  return status === 201 || (status === 303 && !TURNED_AWAY.test(location))
}

/**
 * Leaves a note of every page that was seen, file that was downloaded and act that was done, for the test that looks
 * for those which no browser did (tests/pages.last.ts).
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
