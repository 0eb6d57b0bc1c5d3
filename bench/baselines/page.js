// The least that a page of inquiries can cost in Node: `page.js PAGES PORT` asks PostgreSQL the very statements that our
// server asks for that address, prepared as ours are, and joins what comes into the same body. It checks nothing.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import pg from 'pg'

const [file = '', port = ''] = process.argv.slice(2)
const { connection, answers: pages } = JSON.parse(readFileSync(file, 'utf8'))
const pool = new pg.Pool({ ...connection, max: 20 }) // as many connections as our server has
const kept = (headers) => headers.filter((_, at) => headers[at - (at % 2)].toLowerCase() !== 'content-length')
for (const page of Object.values(pages)) page.headers = kept(page.headers)

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
function momentOf(sid) {
  let ms = 0
  for (let at = 0; at < 10; at++) ms = ms * 32 + DIGITS.indexOf(sid[at])
  return `${new Date(ms - 10_800_000).toISOString().slice(0, -1)}-03:00`
}

function entry(list, row) {
  const self = `${list}/${row.sid}`
  return `{"Momento":"${momentOf(row.sid)}","OrigenLead":"${row.origenLead}","TipoAnuncio":"${row.tipoAnuncio}","Auto":${row.auto},"Interesado":${row.interesado},"OperadorResponsable":"${row.operador}","Estado":"${row.estado}","_links":{"self":{"href":"${self}"},"estado":{"href":"${self}/estado","method":"PUT"},"reenviar":{"href":"${self}/resendwebhook","method":"POST"},"consultas":{"href":"${list}"},"agencia":{"href":"/v3/agencias/x"}}}`
}

createServer(async (request, response) => {
  const page = pages[request.url]
  if (!page) return response.end() // the knock at the door
  let rows = []
  for (const statement of page.statements) rows = (await pool.query(statement)).rows
  const list = `/v3/consultas/${page.adminMail}`
  const body = Buffer.from(
    `{"Desde":"","Hasta":"","Pagina":1,"Total":${rows[0].total},"PerPagina":25,"_links":{},"_entries":[${rows.map((row) => entry(list, row)).join(',')}]}`,
  )
  response.writeHead(200, [...page.headers, 'content-length', String(body.length)])
  response.end(body)
}).listen(Number(port), '127.0.0.1')
