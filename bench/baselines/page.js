// The least that a page of inquiries can cost in Node: `page.js PAGES PORT` asks PostgreSQL the very statements that our
// server asks for that address, prepared as ours are, and joins what comes into the same bytes. It checks nothing, and
// what is the same in every answer of an address it has from ours.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import pg from 'pg'

const [file = '', port = ''] = process.argv.slice(2)
const { connection, resendable, answers: pages } = JSON.parse(readFileSync(file, 'utf8'))
const pool = new pg.Pool({ ...connection, max: 20, idleTimeoutMillis: 0 }) // as many as ours has, kept while others have their turns
const kept = (headers) => headers.filter((_, at) => headers[at - (at % 2)].toLowerCase() !== 'content-length')

const ENTRIES = '"_entries":['
for (const page of Object.values(pages)) {
  const body = Buffer.from(page.body, 'base64').toString()
  const total = body.indexOf('"Total":') + '"Total":'.length
  page.headers = kept(page.headers)
  page.before = body.slice(0, total)
  page.after = body.slice(body.indexOf(',', total), body.indexOf(ENTRIES) + ENTRIES.length)
  page.list = `/v3/consultas/${page.adminMail}`
  page.end = `"consultas":{"href":"${page.list}"},"agencia":{"href":"/v3/agencias/${page.adminMail}"}}}`
}

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
function momentOf(sid) {
  let ms = 0
  for (let at = 0; at < 10; at++) ms = ms * 32 + DIGITS.indexOf(sid[at])
  return `${new Date(ms - 10_800_000).toISOString().slice(0, -1)}-03:00`
}

function entry({ list, end }, { sid, origenLead, tipoAnuncio, auto, interesado, operador, estado, repite }) {
  const self = `${list}/${sid}`
  const again = sid < resendable ? '' : `"reenviar":{"href":"${self}/resendwebhook","method":"POST"},`
  const first = repite ? `"primera":{"href":"${list}/${repite}"},` : ''
  return `{"Momento":"${momentOf(sid)}","OrigenLead":"${origenLead}","TipoAnuncio":"${tipoAnuncio}","Auto":${auto},"Interesado":${interesado},"OperadorResponsable":"${operador}","Estado":"${estado}","_links":{"self":{"href":"${self}"},"estado":{"href":"${self}/estado","method":"PUT"},${again}${first}${end}`
}

createServer(async (request, response) => {
  const page = pages[request.url]
  if (!page) return response.end() // the knock at the door
  let rows = []
  for (const statement of page.statements) rows = (await pool.query(statement)).rows
  const entries = rows.map((row) => entry(page, row)).join(',')
  const body = Buffer.from(`${page.before}${rows[0].total}${page.after}${entries}]}`)
  response.writeHead(200, [...page.headers, 'content-length', String(body.length)])
  response.end(body)
}).listen(Number(port), '127.0.0.1')
