// APP_KEY=… APP_SECRET=… node firmar.mjs GET '/v3/colores?q=rojo'
import { createHash, createHmac, randomUUID } from 'node:crypto'

const { APP_KEY, APP_SECRET, BASE_URL = 'http://127.0.0.1:3000' } = process.env
const [method = 'GET', path = '/v3/colores', body] = process.argv.slice(2)
const url = new URL(path, BASE_URL)

const date = new Date().toUTCString()
const nonce = randomUUID() // distingue dos solicitudes iguales en el mismo segundo
const digest = body ? `sha-256=${createHash('sha256').update(body).digest('base64')}` : ''

const own = [`x-svc-date:${date}`, `x-svc-nonce:${nonce}`] // por orden alfabético
const text = [method, digest, '', ...own, url.pathname + url.search].join('\n')
const signature = createHmac('sha256', APP_SECRET).update(text).digest('base64')

const headers = { Authorization: `SVC-HMAC ${APP_KEY}:${signature}`, 'X-SVC-Date': date, 'X-SVC-Nonce': nonce }
if (body) Object.assign(headers, { Digest: digest, 'Content-Type': 'application/json' })

const response = await fetch(url, { method, headers, body })
console.log(response.status, await response.text())
