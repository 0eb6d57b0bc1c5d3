import { after } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions, Cookie } from 'playwright-core'
import { openBrowser, openContext } from './browser.ts'

/** A context for one story, as if it were new. */
export interface SharedContext {
  context: BrowserContext
  /** Its cookies and pages are taken away; where to rest is a document of the same host that does nothing. */
  release(restAt: string): Promise<void>
}

type Take = (options: BrowserContextOptions, cookies: Cookie[]) => Promise<SharedContext>

/** What the test files of a process share. */
let browser: Promise<Browser> | undefined
const free = new Map<string, BrowserContext>()
let files = 0

/**
 * Contexts that stories use one after the other. The first document of a page starts a process, which costs more than
 * most stories; the next page of the same context and host shares it, as long as one is open. So one is left, at rest.
 * Asked for when a file is read: all files of a process are read before the first test runs.
 */
export function withBrowserContexts(): Take {
  files++
  after(async () => {
    if (--files > 0) return
    free.clear()
    await (await browser)?.close()
  })
  return async (options, cookies) => {
    const kind = JSON.stringify(options)
    const context = free.get(kind) ?? (await openContext(await (browser ??= openBrowser()), options))
    free.delete(kind) // it is one story's at a time
    await context.addCookies(cookies)
    return { context, release: (restAt) => rest(kind, context, restAt) }
  }
}

const spent = new WeakSet<BrowserContext>()
/** No other story gets this context: what was changed in it cannot be taken back. */
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
    await context.close() // what kept the story from ending well may keep it from resting, and says more
  }
}
