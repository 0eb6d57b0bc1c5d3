// node eventos.mjs
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { llamar } from './rodado.mjs'

let ruta = existsSync('cursor.txt') ? readFileSync('cursor.txt', 'utf8') : '/v3/eventos'
for (;;) {
  const { datos } = await llamar('GET', ruta)
  for (const { Topic, Id } of datos._entries) console.log(Topic, Id) // aquí va su trabajo
  ruta = datos._links.next.href
  writeFileSync('cursor.txt', ruta) // solo cuando el trabajo está hecho
  if (datos._entries.length === 0) break
}
