import { after, describe } from 'node:test'

const FILE_TIMEOUT_MS = 240_000
/** For resources that take a moment to close. */
const CLOSING_MS = 20_000

let open = 0

/** A test file as a suite of a shared process, so that its hooks are its own. */
export function suite(file: string, read: () => void): void {
  open++
  describe(file, { timeout: FILE_TIMEOUT_MS }, () => {
    try {
      read()
    } finally {
      after(() => --open > 0 || expectEnd())
    }
  })
}

/** A process that does not exit after its last test holds something that a test has not closed. */
function expectEnd(): void {
  const complain = () => {
    process.stderr.write(`A test of this process left something open: ${process.getActiveResourcesInfo().join(', ')}\n`)
    process.exit(1)
  }
  setTimeout(complain, CLOSING_MS).unref()
}
