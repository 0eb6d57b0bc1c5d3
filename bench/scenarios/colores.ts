import { overHttp } from '../over-http.ts'

const targets = ['/v3/colores']

/** As a client gets it that names no encoding. */
export const colores = overHttp(
  { name: 'colores', title: 'Colour list, signed', targets, target: 0.6 },
  { usual: true },
)

export const coloresBrotli = overHttp(
  {
    name: 'colores-br',
    title: 'Colour list, signed, brotli',
    targets,
    headers: { 'accept-encoding': 'gzip, deflate, br' },
    target: 0.6,
  },
  { usual: false },
)

export const coloresUnchanged = overHttp(
  { name: 'colores-304', title: 'Colour list, signed, unchanged (304)', targets, conditional: true, target: 0.5 },
  { usual: true },
)

export const coloresByToken = overHttp(
  { name: 'colores-token', title: 'Colour list, bearer token', targets, credential: 'token', target: 0.6 },
  { usual: false },
)
