import { invalid, problemBody } from '../../../http/problems.ts'
import { Code, Json, Status } from '../../parts.tsx'
import { Example } from '../example.tsx'
import type { Chapter, Reader } from './chapter.ts'
import { Facts } from './facts.tsx'

export const handlingFailures: Chapter = {
  slug: 'errores',
  title: 'Errores y reintentos',
  summary: 'Qué dice un rechazo, cuándo tiene sentido repetir, y cómo hacerlo sin duplicar nada.',
  sections: [
    { id: 'problema', title: 'Cómo es un rechazo', body: Shape },
    { id: 'que-hacer', title: 'Qué hacer con cada uno', body: WhatToDo },
    { id: 'reintentar', title: 'Reintentar', body: Retry },
    { id: 'repetible', title: 'Qué se puede repetir', body: Repeatable },
    { id: 'limites', title: 'Límites', body: Limits },
    { id: 'cambios', title: 'Lo que puede cambiar', body: Changes },
  ],
}

function Shape({ names: { publicUrl } }: Reader) {
  const problem = invalid({ Telefono: ['Debe tener al menos 8 caracteres.'] })
  return (
    <>
      <p>
        Un cuerpo <code>application/problem+json</code>, siempre con los mismos miembros. <code>Type</code> es la
        dirección de <a href="/problemas">una página que lo explica</a>; <code>Errors</code>, donde está, dice qué
        corregir en cada dato (<code>_</code> es el conjunto). Un programa decide por el estado y por <code>Type</code>,
        no por los textos.
      </p>
      <Code label="400 · application/problem+json">
        <Json value={problemBody(problem, publicUrl, '/v3/agencias')} />
      </Code>
      <p>
        Toda respuesta trae <code>X-Request-Id</code>: guárdelo en sus registros, y mándelo si nos escribe.
      </p>
    </>
  )
}

function WhatToDo() {
  return (
    <Facts
      caption="Qué hacer con cada estado"
      heads={['Estado', 'Qué significa', '¿Repetir?']}
      rows={[
        [<Status code={400} />, 'Hay datos que corregir: Errors dice cuáles.', 'No, hasta corregirlos.'],
        [<Status code={401} />, 'La firma, la hora o el token.', 'Solo con una firma nueva, si era la hora.'],
        [<Status code={403} />, 'La app no tiene permiso.', 'No.'],
        [<Status code={404} />, 'No existe para su app.', 'No.'],
        [<Status code={409} />, 'Choca con lo que hay: ya registrado, ya configurado.', 'No: lea y decida.'],
        [<Status code={412} />, 'Cambió desde que lo leyó.', 'Léalo otra vez y rehaga el cambio.'],
        [<Status code={429} />, 'Demasiadas solicitudes.', 'Sí, cuando dice Retry-After.'],
        [<Status code={500} />, 'Algo falló de nuestro lado.', 'Sí, si la llamada se puede repetir.'],
        [<Status code={503} />, 'No podemos atender ahora.', 'Sí, cuando dice Retry-After.'],
        ['sin respuesta', 'La red, o un corte en el medio.', 'Sí, si la llamada se puede repetir.'],
      ]}
    />
  )
}

function Retry(reader: Reader) {
  return (
    <>
      <p>
        Espere lo que diga <code>Retry-After</code>; sin él, cada vez el doble y con algo de azar. Firme cada intento de
        nuevo: una firma vieja vence, y en un cambio sirve una sola vez.
      </p>
      <Example task="reintentar" {...reader} />
    </>
  )
}

function Repeatable() {
  return (
    <ul>
      <li>
        <code>GET</code>, <code>PUT</code> y <code>DELETE</code>: siempre. Hacerlo dos veces deja lo mismo; un{' '}
        <code>DELETE</code> repetido puede dar <Status code={404} />, que está bien.
      </li>
      <li>
        Un lote de publicaciones: siempre, porque cada fila va a su <code>ExternalId</code>.
      </li>
      <li>
        Publicar uno, o configurar un webhook: el segundo da <Status code={409} />, y eso dice que el primero llegó.
      </li>
      <li>
        Invitar: renueva la invitación y manda otro correo. Antes de repetir, lea si ya está <code>invitada</code>.
      </li>
    </ul>
  )
}

function Limits() {
  return (
    <p>
      Cada respuesta dice en <code>RateLimit-Policy</code> y <code>RateLimit</code> cuánto puede su app y cuánto le
      queda. Un <Status code={304} /> no consume. Cada recurso tiene un límite para el cuerpo, de hasta 1 MiB (un lote,
      16 MiB): si se supera, el 413 lo dice en <code>Extensions.MaxBytes</code>.
    </p>
  )
}

function Changes() {
  return (
    <p>
      La versión está en la ruta: <code>/v3</code>. Puede haber miembros, enlaces, topics y parámetros nuevos sin aviso:
      ignore lo que no conozca. Lo que se vaya a retirar lleva <code>Deprecation</code> y <code>Sunset</code> durante 12
      meses, y se le escribe al contacto de cada app.
    </p>
  )
}
