// node con-token.mjs
const { RODADO_URL = 'http://127.0.0.1:3000', APP_KEY = '', APP_SECRET = '' } = process.env

let token = ''
let vence = 0

/** Un token sirve una hora: se guarda, y se pide otro un minuto antes de que venza. */
async function pedirToken() {
  if (Date.now() < vence) return token
  const credencial = Buffer.from(`${APP_KEY}:${APP_SECRET}`).toString('base64')
  const respuesta = await fetch(new URL('/oauth/token', RODADO_URL), {
    method: 'POST',
    headers: { Authorization: `Basic ${credencial}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  if (!respuesta.ok) throw new Error(`${respuesta.status} ${await respuesta.text()}`)
  const dado = await respuesta.json()
  token = dado.access_token
  vence = Date.now() + (dado.expires_in - 60) * 1000
  return token
}

const respuesta = await fetch(new URL('/v3/colores?q=rojo', RODADO_URL), {
  headers: { Authorization: `Bearer ${await pedirToken()}` },
})
console.log(respuesta.status, await respuesta.text())
