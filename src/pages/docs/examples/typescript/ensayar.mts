// node ensayar.mts (con las claves de una app en modo de prueba)
import { llamar } from './rodado.mts'

interface Lista<T> {
  _entries: T[]
}

const { datos: agencias } = await llamar<Lista<{ AdminMail: string }>>('GET', '/v3/agencias')
const AdminMail = agencias._entries[0]?.AdminMail

// Dos personas inventadas preguntan por sus autos; las notificaciones salen como las de verdad.
const { datos: generadas } = await llamar<Lista<{ href: string; title: string }>>('POST', '/v3/prueba/consultas', {
  AdminMail,
  Cantidad: 2,
})
for (const { title } of generadas._entries) console.log('llegó', title)

interface Consulta {
  Auto: { Marca: string; Modelo: string }
  Interesado: { Nombre: string; Comentario: string | null }
}
const { datos } = await llamar<Consulta>('GET', generadas._entries[0]?.href ?? '')
console.log(datos.Interesado.Nombre, 'pregunta por', datos.Auto.Marca, datos.Auto.Modelo)
