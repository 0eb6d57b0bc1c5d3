import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const USUAL = [
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
  - Chromium or Chrome from your system's packages (apt install chromium)
  - npx playwright-core install --with-deps chromium
or name one that you have: CHROMIUM_PATH=/path/to/chromium npm test`

/** A real browser without a window: CHROMIUM_PATH, one of the usual places, or playwright's own. */
export async function openBrowser(): Promise<Browser> {
  const { CHROMIUM_PATH } = process.env
  if (CHROMIUM_PATH && !existsSync(CHROMIUM_PATH))
    throw new Error(`CHROMIUM_PATH names ${CHROMIUM_PATH}, which does not exist.`)
  const executablePath = [CHROMIUM_PATH ?? '', ...USUAL, chromium.executablePath()].find(
    (path) => path && existsSync(path),
  )
  if (!executablePath) throw new Error(MISSING)
  return chromium.launch({ executablePath })
}
