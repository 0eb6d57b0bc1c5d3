import { run } from './run.ts'

// The reader may close the pipe (`| head`) or the terminal before we have written everything: neither is a failure,
// and a server must still stop PostgreSQL.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
  })

process.exitCode = await run(process.argv.slice(2), { out: process.stdout, err: process.stderr })
