import { run } from './run.ts'

// Whoever reads may have seen enough (`| head`) before all is written, and that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await run(process.argv.slice(2), { out: process.stdout, err: process.stderr })
