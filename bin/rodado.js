#!/usr/bin/env node
import { existsSync } from 'node:fs'
import * as module from 'node:module'

const built = new URL('../dist/main.js', import.meta.url)
if (!existsSync(built)) {
  process.stderr.write('rodado is not built yet. Run `npm run build` in its folder and try again.\n')
  process.exit(1)
}
// Node 20 warns of X25519 in Web Crypto, which backups use: cron would send an email each night.
const { emitWarning } = process
process.emitWarning = (warning, ...details) => {
  if (details[0] !== 'ExperimentalWarning') emitWarning.call(process, warning, ...details)
}
module.enableCompileCache?.() // from Node 22 on
await import(built.href)
