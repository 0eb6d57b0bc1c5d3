// node traducir.mjs 'Bs As' temperlei
import { llamar, Problema } from './rodado.mjs'

const [state = 'Bs As', city = 'temperlei'] = process.argv.slice(2)

try {
  const ruta = `/v3/ciudades/bestmatch?${new URLSearchParams({ state, city })}`
  const { datos, encabezados } = await llamar('GET', ruta)
  console.log(`${datos.Nombre} (${datos.Region})`, encabezados.get('match'))
} catch (error) {
  if (!(error instanceof Problema && error.estado === 400)) throw error
  // No está claro: se ofrece lo que se parece, y decide una persona.
  const candidatos = error.datos.Extensions?.Candidatos ?? []
  for (const { title, href } of candidatos) console.log('quizás', title, href)
}
