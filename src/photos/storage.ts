import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import type { PhotoStorage } from './photo.ts'
import { openS3 } from './s3.ts'

/** PHOTOS_URL: a folder, or a bucket of any S3-compatible store. Without it, a folder in DATA_DIR. */
export function openPhotoStorage({ photosUrl, dataDir }: Pick<Config, 'photosUrl' | 'dataDir'>): PhotoStorage {
  if (photosUrl?.startsWith('s3:')) return openS3(photosUrl)
  return openFolder(photosUrl ? fileURLToPath(photosUrl) : join(dataDir, 'photos'))
}

function openFolder(root: string): PhotoStorage {
  /** In 256 folders: some file systems are slow with a million entries in one. */
  const pathOf = (name: string) => join(root, name.slice(0, 2), name)

  return {
    // Renamed when it is complete and on disk: readers see all of a file or none of it, also after a power cut.
    async put(name, bytes, _type, signal) {
      const path = pathOf(name)
      const part = `${path}.${randomUUID()}`
      await mkdir(dirname(path), { recursive: true })
      try {
        await writeFile(part, bytes, { flush: true, ...(signal && { signal }) })
        await rename(part, path)
      } catch (error) {
        await rm(part, { force: true }) // nothing else would: a full disk would stay full
        throw error
      }
    },
    // An empty file is what a power cut left of a copy that was not flushed.
    get: (name) => readFile(pathOf(name)).then((bytes) => (bytes.length > 0 ? bytes : undefined), undefinedIfMissing),
    // What cannot be read is missing: the copy is made again, and storing it tells what is wrong.
    has: (name) =>
      stat(pathOf(name)).then(
        ({ size }) => size > 0,
        () => false,
      ),
    async remove(name) {
      const path = pathOf(name)
      await rm(path, { force: true })
      await rmdir(dirname(path)).catch(() => undefined) // until the last copy is gone
    },
  }
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}
