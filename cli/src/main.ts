#!/usr/bin/env node
import { handleOutputErrors } from './program.ts'
import { run } from './run.ts'

handleOutputErrors()
process.exitCode = await run(process.argv.slice(2), { out: process.stdout, err: process.stderr })
