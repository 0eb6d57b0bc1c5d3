// SECRET=whsec_… node verificar.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { SECRET = '', PORT = '4000' } = process.env
if (!SECRET) throw new Error('Falta SECRET: sin él, cualquiera puede firmar.')
const VENTANA = 300 // segundos: lo más viejo puede ser una copia que alguien repite

// Lo que sigue a whsec_ es base64; un Secret propio se usa tal cual.
const clave = SECRET.startsWith('whsec_') ? Buffer.from(SECRET.slice(6), 'base64') : Buffer.from(SECRET)

function esNuestro(id, momento, firmas, cuerpo) {
  if (!(Math.abs(Date.now() / 1000 - Number(momento)) <= VENTANA)) return false
  const esperada = createHmac('sha256', clave).update(`${id}.${momento}.`).update(cuerpo).digest()
  // Mientras se cambia el Secret hay dos firmas, separadas por un espacio: basta con una.
  return firmas.split(' ').some((firma) => {
    const dada = Buffer.from(firma.replace('v1,', ''), 'base64')
    return dada.length === esperada.length && timingSafeEqual(dada, esperada)
  })
}

mkdirSync('notificaciones', { recursive: true })
createServer(async (pedido, respuesta) => {
  const partes = []
  for await (const parte of pedido) partes.push(parte)
  const cuerpo = Buffer.concat(partes) // se firman los bytes, no lo que significan
  const encabezado = (nombre) => String(pedido.headers[nombre] ?? '')
  const id = encabezado('webhook-id')
  const firmas = encabezado('webhook-signature')
  if (!esNuestro(id, encabezado('webhook-timestamp'), firmas, cuerpo)) return respuesta.writeHead(401).end()
  try {
    writeFileSync(`notificaciones/${id}.json`, cuerpo, { flag: 'wx' }) // guardar primero, contestar después
    console.log('nuevo', id)
  } catch (error) {
    if (error.code !== 'EEXIST') return respuesta.writeHead(500).end()
    console.log('repetido', id) // la misma notificación puede llegar dos veces, siempre con el mismo id
  }
  respuesta.writeHead(204).end()
}).listen(Number(PORT), () => console.log('esperando'))
