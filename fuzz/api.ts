import { faultOf, operationFor } from './check.ts'
import { Connections } from './connection.ts'
import { asCurl, prepare } from './encode.ts'
import { openFixture } from './fixture.ts'
import { digestOf } from './journal.ts'
import type { FuzzRequest } from './requests.ts'
import { type Surface, withStack } from './surface.ts'
import { anyRequest } from './valid-requests.ts'

/** The APIs of the contract. */
export async function openApi(): Promise<Surface<FuzzRequest>> {
  const fixture = await openFixture()
  const { url, store } = fixture.server
  const connections = new Connections(url)
  return {
    name: 'API',
    store,
    any: anyRequest,
    changes: ({ method }) => /^(POST|PUT|PATCH|DELETE)$/.test(method),
    foreign: () => digestOf(store, fixture.foreign),
    renew: fixture.renew,
    async send(request) {
      const sent = prepare(request, fixture.keysFor(request), fixture.fill(request))
      const alone = request.framing !== 'length' && request.framing !== 'chunked'
      const curl = () => asCurl(sent, url)
      try {
        const options = { bodiless: request.method === 'HEAD', last: sent.last, alone }
        const answer = await connections.send(sent.bytes, options)
        const fault = withStack(faultOf(request, sent, answer), fixture.server.logged)
        const status = answer?.status ?? 0
        const acceptedBy = status >= 200 && status < 300 ? operationFor(request, sent)?.operationId : undefined
        return { fault, status, acceptedBy, curl }
      } catch (error) {
        return { fault: { kind: 'silence', message: (error as Error).message }, status: 0, curl }
      }
    },
    async stop() {
      connections.close()
      await fixture.stop()
    },
  }
}
