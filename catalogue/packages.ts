import { readFileSync } from 'node:fs'

const installed = new URL('./node_modules/', import.meta.url)

/** The text of a file inside an installed package; says how to install when there is none. */
export function packageText(path: string): string {
  try {
    return readFileSync(new URL(path, installed), 'utf8')
  } catch {
    throw new Error(`${path} is not installed: run npm --prefix catalogue ci --ignore-scripts`)
  }
}

/** The same, parsed. The shape is the package's, pinned by catalogue/package-lock.json. */
export const packageJson = <Shape>(path: string): Shape => JSON.parse(packageText(path)) as Shape

/** Loads a package that carries its data as a module; by a name TypeScript cannot follow, for the folder may not be installed. */
export const packageModule = async <Shape>(path: string): Promise<Shape> =>
  (await import(new URL(path, installed).href)) as Shape
