// A CRM's receiver: every inquiry once, whatever happens on the way. Leads are kept in leads.ndjson, a line each.
//   RODADO_URL, RODADO_APP_KEY, RODADO_APP_SECRET; RODADO_DIR is the folder for its files, the current one by default.
//   The argument is the public address of this program.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createClient, followEvents, ProblemError, verifyWebhook, WebhookError } from '@rodado/client'

const { RODADO_URL: baseUrl, RODADO_APP_KEY: appKey, RODADO_APP_SECRET: appSecret, RODADO_DIR = '.' } = process.env
const callback = process.argv[2] ?? 'http://127.0.0.1:4000/'
const topic = 'consulta.recibida'
const rodado = createClient({ baseUrl, appKey, appSecret })

mkdirSync(RODADO_DIR, { recursive: true })
const [LEADS, CURSOR, SECRET] = ['leads.ndjson', 'cursor.txt', 'secret.txt'].map((name) => `${RODADO_DIR}/${name}`)
const linesOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean) : [])
const seen = new Set(linesOf(LEADS).map((line) => JSON.parse(line).Id))

/** Keeps what is new; the same event may come twice, always under the same Id. */
function keep({ Id, Topic, AdminMail, Consulta, Prueba }) {
  if (Topic !== topic || Prueba || seen.has(Id)) return
  const { Interesado, Auto } = Consulta
  appendFileSync(LEADS, `${JSON.stringify({ Id, AdminMail, Interesado, Auto })}\n`)
  seen.add(Id)
  console.log(`${AdminMail}: ${Interesado.Nombre} asks about a ${Auto.Marca} ${Auto.Modelo}`)
}

/** What happened while this program was not running, and what the webhook could not deliver. */
async function catchUp() {
  for await (const { events, next } of followEvents(rodado, { cursor: linesOf(CURSOR)[0], once: true })) {
    events.forEach(keep)
    writeFileSync(CURSOR, next)
  }
}

/** The secret is shown once, when the webhook is made: keep it as you keep passwords. */
async function subscribe() {
  if (existsSync(SECRET)) return readFileSync(SECRET, 'utf8').trim()
  const { Secret } = await rodado.configurarWebhook({ topic }, { Callback: callback }).catch((error) => {
    if (!(error instanceof ProblemError)) throw error
    const remedy = `Write its Secret to ${SECRET}, or run: npx rodado call DELETE /v3/appnotificaciones/${topic}`
    console.error(error.status === 409 ? `${topic} has a webhook already. ${remedy}` : error.message)
    process.exit(1)
  })
  writeFileSync(SECRET, Secret, { mode: 0o600 })
  return Secret
}

const secret = await subscribe()
createServer(async (request, response) => {
  try {
    const body = Buffer.concat(await request.toArray())
    keep(await verifyWebhook(request.headers, body, secret))
    response.writeHead(204).end()
  } catch (error) {
    console.error(error.message) // what does not verify is not from the marketplace; a fault of ours is sent again
    response.writeHead(error instanceof WebhookError ? 401 : 500).end()
  }
}).listen(new URL(callback).port || 80, () => catchUp().then(() => console.log(`ready, with ${seen.size} leads`)))
setInterval(() => catchUp().catch(({ message }) => console.error(message)), 10_000)
