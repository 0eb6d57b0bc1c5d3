import { handleOutputErrors } from '@rodado/cli'
import { run } from './run.ts'

handleOutputErrors() // a server must still stop PostgreSQL
process.exitCode = await run(process.argv.slice(2), { out: process.stdout, err: process.stderr })
