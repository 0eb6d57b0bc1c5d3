import { readFileSync } from 'node:fs'

/** The version of this package: package.json lies beside src/, and beside dist/. */
export const VERSION = String(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version)
