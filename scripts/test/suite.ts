import { after, describe } from 'node:test'

const FILE_TIMEOUT_MS = 240_000
/** What a test closes may take a moment to be gone. */
const CLOSING_MS = 20_000

let open = 0

/** A test file among others in one process, under its own name. Its hooks are its own: they belong to the suite. */
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

/** A process that does not end by itself after its last test holds something that a test has not closed. */
function expectEnd(): void {
  const complain = () => {
    process.stderr.write(`A test of this process left something open: ${process.getActiveResourcesInfo().join(', ')}\n`)
    process.exit(1)
  }
  setTimeout(complain, CLOSING_MS).unref()
}
