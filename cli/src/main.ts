#!/usr/bin/env node
import { ignoreClosedOutput } from './program.ts'
import { run } from './run.ts'

ignoreClosedOutput()
process.exitCode = await run(process.argv.slice(2), { out: process.stdout, err: process.stderr })
