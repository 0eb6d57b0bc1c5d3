import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { FLAG, untilInterrupted } from './command.ts'
import { addressSource, baseOf, defineCommand, PARTNER_OPTIONS, withClient } from './partner.ts'

/** Serves MCP on the command's input and output until its client closes them. */
export const run = defineCommand('', { escribir: FLAG, ...PARTNER_OPTIONS }, async (values, io) => {
  const { config, err } = io
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio') // large
  const { createMcpServer } = await import('./mcp/server.ts')
  const [base, source] = [baseOf(config, values), addressSource(config, values)]
  const [input, out] = [io.input as Readable, io.out as Writable]
  const signal = untilInterrupted(out)
  await withClient(config, values, async (client) => {
    const closed = Promise.race([once(input, 'close'), once(input, 'end'), once(signal, 'abort')])
    const handle = serveStdio(() => createMcpServer({ client, base, source, writes: values.escribir ?? false }), {
      transport: new StdioServerTransport(input, out),
      onerror: (error) => err.write(`rodado mcp: ${error.message}\n`),
    })
    err.write(`MCP server for ${base}${values.escribir ? ', with tools that change something' : ''}.\n`)
    await closed
    await handle.close()
  })
  return 0
})
