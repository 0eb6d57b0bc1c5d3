import type { Browser, BrowserContext, BrowserContextOptions, Cookie } from 'playwright-core'
import { afterAllFiles } from '../../scripts/test/suite.ts'
import { launchBrowser, openContext } from './browser.ts'

/** A browser context for one test. */
interface SharedContext {
  context: BrowserContext
  /** Clears cookies and pages. `restAt` is an empty document of the same host to park a page on. */
  release(restAt: string): Promise<void>
}

let browser: Promise<Browser> | undefined
const free = new Map<string, BrowserContext>()

/** The browser of all test files of a process: its start and first page take longer than most tests. */
export const sharedBrowser = (): Promise<Browser> => {
  browser ??= launchBrowser()
  return browser
}

afterAllFiles(async () => {
  free.clear()
  await (await browser)?.close()
})

/**
 * Contexts that tests reuse. The first document of a page starts a renderer process, which costs more than most tests; further
 * pages of the same context and host share it as long as one is open, so one page stays parked.
 */
export async function takeContext(options: BrowserContextOptions, cookies: Cookie[]): Promise<SharedContext> {
  const kind = JSON.stringify(options)
  const context = free.get(kind) ?? (await openContext(await sharedBrowser(), options))
  free.delete(kind) // one test at a time
  await context.addCookies(cookies)
  return { context, release: (restAt) => rest(kind, context, restAt) }
}

const spent = new WeakSet<BrowserContext>()
/** Excludes this context from reuse, for changes that cannot be undone. */
export const spend = (context: BrowserContext): void => void spent.add(context)

async function rest(kind: string, context: BrowserContext, restAt: string): Promise<void> {
  const [first, ...others] = context.pages()
  if (!first || spent.has(context) || free.has(kind)) return context.close()
  try {
    await first.goto(restAt)
    for (const page of others) await page.close()
    await context.clearCookies()
    free.set(kind, context)
  } catch {
    await context.close() // the test has failed for the same reason
  }
}
