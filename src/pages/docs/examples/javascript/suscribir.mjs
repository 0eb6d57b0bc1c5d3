// node suscribir.mjs consulta.recibida https://crm.example/notificaciones
import { llamar, Problema } from './rodado.mjs'

const [topic = 'consulta.recibida', Callback = 'https://crm.example/notificaciones'] = process.argv.slice(2)
const webhook = `/v3/appnotificaciones/${topic}`

try {
  const { datos } = await llamar('POST', webhook, { Callback })
  console.log(datos.Secret) // se muestra solo ahora: guárdelo donde lo lea su receptor
} catch (error) {
  if (!(error instanceof Problema && error.estado === 409)) throw error
  // Ya estaba configurado: se reemplaza, y el Secret que no se envía queda como estaba.
  const { datos } = await llamar('PUT', webhook, { Callback })
  console.log('ahora va a', datos.Callback)
}
