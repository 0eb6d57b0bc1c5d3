import { readFileSync } from 'node:fs'

const installed = new URL('./node_modules/', import.meta.url)
const texts = new Map<string, string>()
const parsed = new Map<string, unknown>()

/** The text of a file inside an installed package, read once; says how to install when there is none. */
export function packageText(path: string): string {
  const known = texts.get(path)
  if (known !== undefined) return known
  try {
    const text = readFileSync(new URL(path, installed), 'utf8')
    texts.set(path, text)
    return text
  } catch {
    throw new Error(`${path} is not installed: run npm --prefix catalogue ci --ignore-scripts`)
  }
}

/** The same, parsed. The shape is the package's, pinned by catalogue/package-lock.json. */
export function packageJson<Shape>(path: string): Shape {
  if (!parsed.has(path)) parsed.set(path, JSON.parse(packageText(path)))
  return parsed.get(path) as Shape
}

/** Loads a package that carries its data as a module, by a path TypeScript cannot follow: the folder may not be installed. */
export const packageModule = async <Shape>(path: string): Promise<Shape> =>
  (await import(new URL(path, installed).href)) as Shape
