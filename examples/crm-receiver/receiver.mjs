// A CRM's receiver: every inquiry once, whatever happens on the way. Leads are kept in leads.ndjson, a line each.
//   RODADO_URL, RODADO_APP_KEY, RODADO_APP_SECRET; the argument is the public address of this program.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createClient, followEvents, ProblemError, verifyWebhook } from '@rodado/client'

const { RODADO_URL: baseUrl, RODADO_APP_KEY: appKey, RODADO_APP_SECRET: appSecret } = process.env
const callback = process.argv[2] ?? 'http://127.0.0.1:4000/'
const topic = 'consulta.recibida'
const rodado = createClient({ baseUrl, appKey, appSecret })

const linesOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean) : [])
const seen = new Set(linesOf('leads.ndjson').map((line) => JSON.parse(line).Id))

/** Keeps what is new; the same event may come twice, always under the same Id. */
function keep({ Id, Topic, AdminMail, Consulta, Prueba }) {
  if (Topic !== topic || Prueba || seen.has(Id)) return
  const { Interesado, Auto } = Consulta
  appendFileSync('leads.ndjson', `${JSON.stringify({ Id, AdminMail, Interesado, Auto })}\n`)
  seen.add(Id)
  console.log(`${AdminMail}: ${Interesado.Nombre} asks about a ${Auto.Marca} ${Auto.Modelo}`)
}

/** What happened while this program was not running, and what the webhook could not deliver. */
async function catchUp() {
  const [cursor] = linesOf('cursor.txt')
  for await (const { events, next } of followEvents(rodado, { cursor, once: true })) {
    events.forEach(keep)
    writeFileSync('cursor.txt', next)
  }
}

/** The secret is shown once, when the webhook is made: keep it as you keep passwords. */
async function subscribe() {
  if (existsSync('secret.txt')) return readFileSync('secret.txt', 'utf8')
  await rodado.eliminarWebhook({ topic }).catch((error) => {
    if (!(error instanceof ProblemError && error.status === 404)) throw error
  })
  const { Secret } = await rodado.configurarWebhook({ topic }, { Callback: callback, Description: 'CRM' })
  writeFileSync('secret.txt', Secret, { mode: 0o600 })
  return Secret
}

const secret = await subscribe()
createServer(async (request, response) => {
  try {
    const body = Buffer.concat(await request.toArray())
    keep(await verifyWebhook(request.headers, body, secret))
    response.writeHead(204).end()
  } catch {
    response.writeHead(401).end() // whoever sent it, it was not the marketplace
  }
}).listen(new URL(callback).port || 80, async () => {
  await catchUp()
  console.log(`ready, with ${seen.size} leads`)
})
