// A drill that fails in the way that FAILURE names.
import { makeTempDir } from '../../drills/cleanup.ts'
import { drill } from '../../drills/drill.ts'

const fail = (): never => {
  throw new Error('on purpose')
}
const forever = () => new Promise<never>(() => setInterval(() => undefined, 1_000))

const FAILURES: Record<string, () => unknown> = {
  throws: fail,
  rejection: () => Promise.reject(new Error('on purpose')),
  uncaught: () => setTimeout(fail),
}

await drill({}, async ({ defer }) => {
  makeTempDir(defer, 'failing')
  FAILURES[process.env.FAILURE ?? '']?.()
  return forever()
})
