import { Status } from '../../parts.tsx'
import { Example } from '../example.tsx'
import type { Chapter, Reader } from './chapter.ts'
import { Operation, To, Topic } from './links.tsx'

export const readingInquiries: Chapter = {
  slug: 'consultas',
  title: 'Leer consultas',
  summary: 'Recorrer páginas, preguntar si hay algo nuevo sin gastar, y contar en qué está cada consulta.',
  sections: [
    { id: 'cuales', title: 'Cuáles ve su app', body: Which },
    { id: 'lista', title: 'Página por página', body: Pages },
    { id: 'etag', title: 'Preguntar sin gastar', body: Etag },
    { id: 'una', title: 'Una consulta', body: One },
    { id: 'olvido', title: 'Cuando alguien pide que lo olviden', body: Forgotten },
  ],
}

function Which(reader: Reader) {
  return (
    <p>
      Las de los autos que su app publicó, y, si la agencia lo permite, las de catálogo y las de publicaciones de otros.
      Para enterarse en el momento, suscríbase a <Topic name="consulta.recibida" /> (
      <To reader={reader} slug="suscribir">
        cómo
      </To>
      ); la lista sirve para el primer día y para estar seguros.
    </p>
  )
}

function Pages(reader: Reader) {
  return (
    <>
      <p>
        <Operation id="listarConsultas">GET /v3/consultas/{'{adminMail}'}</Operation>: los últimos 90 días, de la más
        nueva a la más vieja, 25 por página. <code>Total</code> es exacto. Siga el enlace <code>next</code> hasta que no
        esté; no arme direcciones. Se acota con <code>desde</code>, <code>hasta</code> (días), <code>externalid</code> y{' '}
        <code>operador</code>.
      </p>
      <Example task="consultas" {...reader} />
    </>
  )
}

function Etag() {
  return (
    <p>
      Todo lo que se lee trae un <code>ETag</code>. Enviado en <code>If-None-Match</code>, si nada cambió la respuesta
      es <Status code={304} />, sin cuerpo, y no consume el límite de la app. Vale también para los catálogos: guarde
      los suyos y pregunte una vez por día.
    </p>
  )
}

function One() {
  return (
    <ul>
      <li>
        Cada una está en su enlace <code>self</code> todo el tiempo que se guarda, no solo 90 días.
      </li>
      <li>
        <Operation id="cambiarEstadoDeConsulta">PUT …/estado</Operation> cuenta en qué está la agencia con ella:{' '}
        <code>nueva</code>, <code>leida</code>, <code>contactada</code>, <code>vendida</code>, <code>descartada</code>.
        Toda app que la ve recibe <Topic name="consulta.modificada" />.
      </li>
      <li>
        <Operation id="reenviarWebhookDeConsulta">POST …/resendwebhook</Operation> manda otra vez su notificación, con
        el mismo <code>Id</code>, hasta 30 días después.
      </li>
      <li>
        Con <code>Accept: application/x-adf+xml</code> se lee como ADF, el formato de los sistemas de concesionarias.
      </li>
    </ul>
  )
}

function Forgotten() {
  return (
    <p>
      Una persona puede pedir que se supriman sus datos. Llega <Topic name="consulta.suprimida" /> con el enlace de la
      consulta: borre también usted lo que guardó de ella. La consulta sigue contando; lo que se lee ahí desde entonces
      ya no dice quién era.
    </p>
  )
}
