import { text } from 'node:stream/consumers'
import { after, before } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { ASSETS } from '../../src/pages/assets.ts'
import { onNewPage } from './browser.ts'
import { spend, takeContext } from './browser-contexts.ts'
import { type ServerOptions, startServer, type TestServer } from './server.ts'
import { sessionOf } from './staff.ts'
import type { Visitor } from './visitor.ts'

interface PageOptions extends BrowserContextOptions {
  /** The session of the browser; none by default. */
  as?: Visitor | undefined
}

interface Pages {
  /** Available from the first hook on. */
  server: TestServer
  /** A page for one test (browser.ts), with relative URLs: `page.goto('/entrar')`. */
  onPage(name: string, options: PageOptions, story: (page: Page) => Promise<unknown>): Promise<void>
}

/** A server, and a browser on demand, for the tests of a file or suite. */
export function withPages(options: ServerOptions = {}): Pages {
  const server = {} as TestServer
  before(async () => {
    Object.assign(server, await startServer(options))
  })
  after(async () => {
    await server.stop?.()
  })
  return {
    server,
    onPage: (name, more, story) => onPageOf(server, name, more, story),
  }
}

/** Opens a page on a server that the test has started itself. */
export async function onPageOf(
  server: TestServer,
  name: string,
  { as, ...more }: PageOptions,
  story: (page: Page) => Promise<unknown>,
): Promise<void> {
  const { context, release } = await takeContext(more, as ? [sessionOf(server, as)] : [])
  try {
    await onNewPage(context, name, (page) => story(at(server.url, page)))
  } finally {
    await release(new URL(ASSETS.favicon.href, server.url).href)
  }
}

/** Resolves URLs against that server: a context keeps its base URL and is used with many servers. */
function at(base: string, page: Page): Page {
  const goTo = page.goto.bind(page)
  page.goto = (url, options) => goTo(new URL(url, base).href, options)
  return page
}

/** The screen sizes of the tests. */
export const DESKTOP = { viewport: { width: 1280, height: 900 } }
export const TELEPHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

/** By how many pixels a page is wider than its screen. */
export const overflow = (page: Page): Promise<unknown> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

export async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value)
}
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
export const follow = (page: Page, name: string) => page.getByRole('link', { name }).first().click()
export const isTitled = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

/** Installs a movable clock in a page, so that tests need not wait. */
export async function withOwnClock(page: Page): Promise<{ later(seconds: number): Promise<void> }> {
  await page.clock.install() // for the whole context, permanently
  spend(page.context())
  return { later: (seconds) => page.clock.fastForward(seconds * 1000) }
}

/** Opens a part that is folded away on a telephone; on a wider screen it is in its place. */
export async function unfold(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true })
  if (await button.isVisible()) await button.click()
}
export async function signOut(page: Page): Promise<void> {
  await unfold(page, 'Mi cuenta')
  await press(page, 'Salir')
}

/** Fills in the search form above a list and waits for the result. Texts that are no search apply with Enter. */
export async function search(page: Page, values: Record<string, string>): Promise<void> {
  await unfold(page, 'Filtrar')
  await fill(page, values)
  await page.keyboard.press('Enter')
  await page.waitForURL(({ searchParams }) => {
    const sent = [...searchParams.values()]
    const isSent = (value: string) =>
      value.includes('@') ? sent.some((each) => each.startsWith('~')) : sent.includes(value)
    return Object.values(values).every((value) => value === '' || isSent(value))
  })
}

/** Waits for a notice of success. */
export const waitForNotice = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor()
/** Waits for an error message. */
export const refused = (page: Page, words: string) => page.getByRole('alert').getByText(words).first().waitFor()

/** Downloads a list as a file and returns its name and lines. */
export async function download(page: Page, name = 'Descargar CSV'): Promise<{ name: string; lines: string[] }> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()])
  const written = await text(await file.createReadStream())
  return { name: file.suggestedFilename(), lines: written.trim().split('\r\n') }
}
