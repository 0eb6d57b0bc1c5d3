import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Defer } from '../drills/cleanup.ts'
import { runnableProgram } from '../tests/support/compiled-program.ts'
import { type Answer, Connections } from './connection.ts'
import { isLimited } from './cost-judge.ts'
import type { FromServer, Scene, ToServer } from './cost-server.ts'
import type { Sent } from './encode.ts'

/** The heap of the smallest supported machine. */
const HEAP_MIB = 512
const SERVER_ENDS_MS = 10_000

/** The server under test. Restarted if a request crashes it. */
export class Server {
  #child: ChildProcess | undefined
  #connections: Connections | undefined
  scene!: Scene
  starts = 0

  async start(defer: Defer): Promise<void> {
    const { file, execArgv } = runnableProgram('fuzzCostServer')
    const child = fork(file, { execArgv: [`--max-old-space-size=${HEAP_MIB}`, ...execArgv] })
    let isGone = false
    const gone = once(child, 'exit').then(() => void (isGone = true))
    this.#child = child
    this.starts++
    defer(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.disconnect() // it stops itself and its database
      const late = setTimeout(() => child.kill('SIGKILL'), SERVER_ENDS_MS)
      await gone
      clearTimeout(late)
    })
    await Promise.race([once(child, 'message'), gone])
    if (isGone) throw new Error('the server did not start')
    await this.renew()
  }

  kill(): void {
    this.#connections?.close()
    this.#child?.kill('SIGKILL')
  }

  /** Restores users, records and links. */
  async renew(): Promise<void> {
    this.#connections?.close()
    const answer = await this.#ask('renew')
    if (!('scene' in answer)) throw new Error('the server did not say what it has')
    this.scene = answer.scene
    this.#connections = new Connections(answer.scene.url)
  }

  async cpuMs(): Promise<number> {
    const answer = await this.#ask('cpu')
    return 'cpuMs' in answer ? answer.cpuMs : Number.NaN
  }

  send(sent: Sent): Promise<Answer | undefined> {
    return (this.#connections as Connections).send(sent.bytes, { bodiless: false, last: false, alone: false })
  }

  /** True if the server still answers a health check. */
  async isAlive(): Promise<boolean> {
    const bytes = Buffer.from('GET /health/live HTTP/1.1\r\nHost: rodado.test\r\n\r\n')
    const answer = await (this.#connections as Connections).send(bytes, { bodiless: false, last: false, alone: false })
    return answer !== undefined && (answer.status < 500 || isLimited(answer.status))
  }

  #ask(what: ToServer): Promise<FromServer> {
    const child = this.#child as ChildProcess
    return new Promise((resolve, reject) => {
      const died = () => reject(new Error('the server process ended'))
      child.once('exit', died)
      child.once('message', (answer: FromServer) => {
        child.off('exit', died)
        resolve(answer)
      })
      child.send(what)
    })
  }
}
