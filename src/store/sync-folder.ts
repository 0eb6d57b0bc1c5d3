import { open } from 'node:fs/promises'

/** Of Windows, some network file systems, and a folder that one may write to but not read. */
const NOT_POSSIBLE = new Set(['EPERM', 'EISDIR', 'EINVAL', 'EBADF', 'EACCES'])

/** Makes what was renamed in a folder survive a power cut, where the file system can. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r')
    await folder.sync().finally(() => folder.close())
  } catch (error) {
    if (!NOT_POSSIBLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
