import { readFile, rename, writeFile } from 'node:fs/promises'

/** A file that holds the cursor of the feed, so that a program continues where it stopped. */
export const cursorFile = (path: string) => ({
  /** Undefined if there is none yet. */
  async read(): Promise<string | undefined> {
    try {
      return (await readFile(path, 'utf8')).trim() || undefined
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw new Error(`the cursor cannot be read from ${path} (${(error as NodeJS.ErrnoException).code}).`)
    }
  },

  /** Replaced when it is on disk: a file half written, or emptied by a power cut, would lose the position. */
  async write(cursor: string): Promise<void> {
    await writeFile(`${path}.new`, `${cursor}\n`, { flush: true })
    await rename(`${path}.new`, path)
  },
})
