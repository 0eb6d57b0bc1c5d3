// The least that receiving an inquiry can cost in Node: `insert.js ROWS PORT` reads the body and puts the same five rows
// (inquiry, key, event, delivery, count) in, in one prepared statement, then answers what ours answered. It checks nothing,
// looks nothing up, and mails nobody.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import pg from 'pg'

const [file = '', port = ''] = process.argv.slice(2)
const { connection, consulta, event, delivery, listings, answer } = JSON.parse(readFileSync(file, 'utf8'))
const pool = new pg.Pool({ ...connection, max: 20, idleTimeoutMillis: 0 }) // as many as ours has, kept while others have their turns
const day = new Date().getUTCDate()
const text = `
  with kept as (
    insert into consultas (sid, modo, agencia_id, fuente, publicacion_id, external_key, tipo_anuncio, origen_lead, auto,
      interesado, email, telefono, operador, sitio_id)
    values ($1, 'produccion', $2, $3, $4, $5, 'publicacion', 'form', $6, $7, $8, $9, $10, 1)
  ), counted as (
    insert into consulta_counts (agencia_id, mes, fuente, operador, dias)
    values ($2, date_trunc('month', now())::date, $3, $10, array_fill(0, array[31]))
    on conflict (agencia_id, mes, fuente, operador) do update set dias[${day}] = consulta_counts.dias[${day}] + 1
  ), once as (
    insert into idempotency_keys (sitio_id, key, digest, sid) values (1, $13, $14, $1)
  ), put as (
    insert into deliveries (id, app_id, webhook_id) values ($11, $3, $15)
  )
  insert into events (id, app_id, agencia_id, topic, sid, payload) values ($11, $3, $2, 'consulta.recibida', $1, $12)`

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const head = consulta.sid.slice(0, 10) // of the moment of the sample: the same month
function newId() {
  let id = head
  for (const byte of randomBytes(16)) id += DIGITS[byte & 31]
  return id
}

const digest = randomBytes(32) // of nothing: nobody looks whether it is the same
let turn = 0
createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', async () => {
    if (request.method !== 'POST') return response.end() // the knock at the door
    const { Interesado } = JSON.parse(Buffer.concat(chunks).toString())
    const { id, agenciaId, operador } = listings[turn++ % listings.length]
    const values = [
      ...[newId(), agenciaId, event.app_id, id, consulta.external_key, consulta.auto, consulta.interesado],
      ...[Interesado.Email, Interesado.Telefono, operador, newId(), event.payload],
      ...[request.headers['idempotency-key'], digest, delivery.webhook_id],
    ]
    await pool.query({ name: 'insert', text, values })
    const body = Buffer.from(answer.body)
    response.writeHead(201, [...KEPT, 'content-length', String(body.length)])
    response.end(body)
  })
}).listen(Number(port), '127.0.0.1')

const OWN = new Set(['content-length', 'content-encoding', 'date', 'connection', 'keep-alive', 'transfer-encoding'])
const KEPT = answer.headers.filter((_, at) => !OWN.has(answer.headers[at - (at % 2)].toLowerCase()))
