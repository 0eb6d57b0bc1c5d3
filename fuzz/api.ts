import { faultOf, operationFor } from './check.ts'
import { Connections } from './connection.ts'
import { digestOf } from './journal.ts'
import { anyAsked } from './meant.ts'
import type { Asked } from './requests.ts'
import { openStage } from './stage.ts'
import { explained, type Surface } from './surface.ts'
import { asCurl, prepare } from './wire.ts'

/** The APIs, by the operations of the contract. */
export async function openApi(): Promise<Surface<Asked>> {
  const stage = await openStage()
  const { url, store } = stage.server
  const connections = new Connections(url)
  return {
    name: 'API',
    store,
    any: anyAsked,
    changes: ({ method }) => /^(POST|PUT|PATCH|DELETE)$/.test(method),
    foreign: () => digestOf(store, stage.foreign),
    renew: stage.renew,
    async ask(asked) {
      const sent = prepare(asked, stage.keysFor(asked), stage.fill(asked))
      const alone = asked.framing !== 'length' && asked.framing !== 'chunked'
      const curl = () => asCurl(sent, url)
      try {
        const options = { bodiless: asked.method === 'HEAD', last: sent.last, alone }
        const answer = await connections.ask(sent.bytes, options)
        const fault = explained(faultOf(asked, sent, answer), stage.server.logged)
        const status = answer?.status ?? 0
        const takenBy = status >= 200 && status < 300 ? operationFor(asked, sent)?.operationId : undefined
        return { fault, status, takenBy, curl }
      } catch (error) {
        return { fault: { kind: 'silence', says: (error as Error).message }, status: 0, curl }
      }
    },
    async stop() {
      connections.close()
      await stage.stop()
    },
  }
}
