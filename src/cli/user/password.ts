import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Io } from '../command.ts'

/** One line of the input. At a terminal it is asked for and not shown. */
export async function readPassword({ input, err }: Pick<Io, 'input' | 'err'>): Promise<string> {
  const terminal = (input as NodeJS.ReadStream).isTTY === true
  if (terminal) err.write('Password: ')
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: silence, terminal })
  const [line = ''] = await Promise.race([once(lines, 'line'), once(lines, 'close')])
  lines.close()
  if (terminal) err.write('\n')
  return String(line)
}
