import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, it } from 'node:test'
import { createDatabase } from '../../tests/support/database.ts'
import { startRodado } from '../../tests/support/rodado-process.ts'
import { until } from '../../tests/support/until.ts'

/** systemd's end of the socket: prints each message on a line. */
const RECEIVER = `import socket, sys
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1])
print('bound', flush=True)
while True:
    print(receiver.recv(4096).decode().replace('\\n', ' '), flush=True)
`
const WATCHDOG_USEC = '300000'

function missing(): string | false {
  for (const program of ['systemd-notify', 'python3'])
    try {
      execFileSync(program, ['--version'], { stdio: 'ignore' })
    } catch {
      return `${program} is not installed`
    }
  return false
}

describe('rodado serve under systemd', { skip: missing() }, () => {
  it('reports readiness once it answers, then the watchdog, then that it stops', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'rodado-notify-'))
    t.after(() => rm(folder, { recursive: true }))
    const socket = join(folder, 'notify')
    const receiver = spawn('python3', ['-c', RECEIVER, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
    t.after(() => receiver.kill())
    const lines: string[] = []
    const received = createInterface(receiver.stdout).on('line', (line) => lines.push(line))
    await once(received, 'line')

    const database = await createDatabase()
    t.after(() => database.drop())
    const server = await startRodado(database.connection, randomBytes(32), { NOTIFY_SOCKET: socket, WATCHDOG_USEC })
    const has = (state: RegExp) => until(() => lines.some((line) => state.test(line)))
    await has(/^READY=1 STATUS=Serving http/)
    await has(/^WATCHDOG=1/)
    assert.equal(await server.stop(), 0)
    await has(/^STOPPING=1/)
    const first = (state: string) => lines.findIndex((line) => line.startsWith(state))
    assert.ok(first('READY=1') < first('WATCHDOG=1') && first('WATCHDOG=1') < first('STOPPING=1'), lines.join('\n'))
  })
})
