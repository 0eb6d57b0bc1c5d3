// node reintentar.mjs
import { setTimeout as esperar } from 'node:timers/promises'
import { llamar, Problema } from './rodado.mjs'

/** Repite lo que más tarde puede salir bien. Cada intento llama de nuevo: fecha, nonce y firma son otros. */
async function conReintentos(intento, veces = 5) {
  for (let numero = 1; ; numero++) {
    try {
      return await intento()
    } catch (error) {
      const rechazo = error instanceof Problema ? error : undefined
      const esPasajero = !rechazo || rechazo.estado === 429 || rechazo.estado >= 500 // sin rechazo: falló la red
      if (!esPasajero || numero === veces) throw error
      const pedidos = Number(rechazo?.encabezados.get('retry-after'))
      const segundos = pedidos || Math.random() * 2 ** numero // 2, 4, 8 … y al azar, para no volver todos juntos
      console.log('se reintenta en', segundos.toFixed(1), 's')
      await esperar(segundos * 1000)
    }
  }
}

const { estado } = await conReintentos(() => llamar('GET', '/v3/marcas?q=fiat'))
console.log(estado)
