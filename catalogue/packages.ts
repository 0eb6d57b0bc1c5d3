import { readFileSync } from 'node:fs'

const installed = new URL('./node_modules/', import.meta.url)
const texts = new Map<string, string>()
const parsed = new Map<string, unknown>()

/** Reads a file of an installed package once; the error says how to install it. */
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

/** The same, parsed. catalogue/package-lock.json pins the format. */
export function packageJson<Shape>(path: string): Shape {
  if (!parsed.has(path)) parsed.set(path, JSON.parse(packageText(path)))
  return parsed.get(path) as Shape
}

/** Loads a package whose data is a module. TypeScript cannot resolve it, since it may not be installed. */
export const packageModule = async <Shape>(path: string): Promise<Shape> =>
  (await import(new URL(path, installed).href)) as Shape
