import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brunoFiles } from './collections/bruno.ts'
import { printPostman } from './collections/postman.ts'
import { collectionOf } from './collections/requests.ts'

/** The collections for Postman and Bruno; `npm run contract` writes them. */
export const COLLECTIONS = fileURLToPath(new URL('../contract/collections', import.meta.url))

/** The files of both collections, by their path in the folder. */
export function printCollections(document: object): Record<string, string> {
  const collection = collectionOf(document)
  const bruno = Object.entries(brunoFiles(collection)).map(([path, text]) => [`bruno/${path}`, text])
  return { 'rodado.postman_collection.json': printPostman(collection), ...Object.fromEntries(bruno) }
}

export async function writeCollections(files: Record<string, string>): Promise<void> {
  await rm(COLLECTIONS, { recursive: true, force: true })
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(COLLECTIONS, path)), { recursive: true })
    await writeFile(join(COLLECTIONS, path), text)
  }
}

/** The files as they are stored. */
export async function readCollections(): Promise<Record<string, string>> {
  const entries = await readdir(COLLECTIONS, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const read = async (path: string) => [path.slice(COLLECTIONS.length + 1), await readFile(path, 'utf8')]
  return Object.fromEntries(await Promise.all(paths.map(read)))
}
