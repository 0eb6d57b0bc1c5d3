import { createHmac, timingSafeEqual } from 'node:crypto'

/** Verifica la firma de id, momento y topic, no del cuerpo; también con el Secret anterior. */
export function esNotificacionNuestra(encabezados, secret) {
  const clave = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)
  const dato = (nombre) => encabezados.get(nombre) ?? ''
  const momento = dato('Notification-Timestamp')
  const texto = [dato('Notification-Hook-ID'), momento, dato('Notification-Topic')].join('\n')
  const esperada = createHmac('sha256', clave).update(texto).digest()
  const esReciente = Math.abs(Date.now() / 1000 - Number(momento)) <= 300
  const coincide = ['Notification-Signature', 'Notification-Signature-Anterior'].some((nombre) => {
    const dada = Buffer.from(dato(nombre), 'base64')
    return dada.length === esperada.length && timingSafeEqual(dada, esperada)
  })
  return esReciente && coincide
}
