// Loaded into every server that is measured (`node --import`). It tells its parent the CPU time of the whole process, how
// long the thread of its JavaScript ran or waited for a core, its memory, or a profile of it, when asked, and does nothing in between. Plain
// JavaScript, so that the process holds no compiler.
import { readFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'

const SAMPLE_EVERY_MICROS = 200

const inspector = new Session()
const ORDERS = {
  cpu() {
    const { user, system } = process.cpuUsage()
    return user + system
  },
  async thread() {
    const told = await readFile(`/proc/self/task/${process.pid}/schedstat`, 'utf8').catch(() => '0 0')
    const [ran, waited] = told.split(' ').map((nanos) => Number(nanos) / 1000)
    return { ran, waited }
  },
  memory() {
    const { rss, heapUsed } = process.memoryUsage()
    return { rss, heapUsed }
  },
  async startProfile() {
    inspector.connect()
    await inspector.post('Profiler.enable')
    await inspector.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_MICROS })
    await inspector.post('Profiler.start')
  },
  async stopProfile() {
    const { profile } = await inspector.post('Profiler.stop')
    inspector.disconnect()
    return profile
  },
}

process.on('message', async (order) => process.send?.({ told: await ORDERS[order]() }))
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM')) // a bench that was interrupted leaves nothing behind
process.channel?.unref() // the server ends when it would end
