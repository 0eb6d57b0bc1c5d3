import { createHash, createHmac, randomUUID } from 'node:crypto'

const { RODADO_URL = 'http://127.0.0.1:3000', APP_KEY = '', APP_SECRET = '' } = process.env

/** base64(HMAC-SHA256(AppSecret, texto)); el texto son estas líneas, unidas por \n. */
export function firma(metodo, ruta, encabezados, secreto) {
  const propios = Object.entries(encabezados)
    .map(([nombre, valor]) => [nombre.toLowerCase(), valor.trim()])
    .filter(([nombre]) => nombre.startsWith('x-svc-'))
    .sort(([uno], [otro]) => (uno < otro ? -1 : 1))
    .map(([nombre, valor]) => `${nombre}:${valor}`)
  const texto = [metodo, encabezados.Digest ?? '', encabezados.Date ?? '', ...propios, ruta].join('\n')
  return createHmac('sha256', secreto).update(texto).digest('base64')
}

/** Un rechazo: Title y Detail dicen qué pasó; Errors, en qué campos. */
export class Problema extends Error {
  constructor({ status, headers }, datos = {}) {
    super(`${status} ${datos.Detail ?? ''} ${JSON.stringify(datos.Errors ?? {})}`)
    this.estado = status
    this.encabezados = headers
    this.datos = datos
  }
}

/** Firma la solicitud y la envía; el cuerpo y los encabezados adicionales pueden faltar. */
export async function llamar(metodo, ruta, cuerpo, mas = {}) {
  const url = new URL(ruta, RODADO_URL)
  const bytes = cuerpo === undefined ? null : JSON.stringify(cuerpo)
  const encabezados = {
    'X-SVC-Date': new Date().toUTCString(),
    'X-SVC-Nonce': randomUUID(), // distingue dos solicitudes iguales en el mismo segundo
    ...mas,
  }
  if (bytes !== null) {
    encabezados['Content-Type'] = 'application/json'
    encabezados.Digest = `sha-256=${createHash('sha256').update(bytes).digest('base64')}`
  }
  const clave = firma(metodo, url.pathname + url.search, encabezados, APP_SECRET)
  encabezados.Authorization = `SVC-HMAC ${APP_KEY}:${clave}`

  const limite = AbortSignal.timeout(30_000)
  const respuesta = await fetch(url, { method: metodo, headers: encabezados, body: bytes, signal: limite })
  const texto = await respuesta.text()
  const datos = respuesta.headers.get('content-type')?.includes('json') ? JSON.parse(texto) : undefined
  if (respuesta.status >= 400) throw new Problema(respuesta, datos)
  return { estado: respuesta.status, encabezados: respuesta.headers, datos }
}
