import { DESCRIPTIONS, TOPICS } from '../../../webhooks/topics.ts'
import { Status } from '../../parts.tsx'
import { Example } from '../example.tsx'
import type { Chapter, Reader } from './chapter.ts'
import { Facts } from './facts.tsx'
import { Named, Operation, To, Topic } from './links.tsx'

export const subscribing: Chapter = {
  slug: 'suscribir',
  title: 'Suscribirse a las notificaciones',
  summary: 'Configurar un webhook, probarlo, mirar qué se entregó, reenviar lo que no, y ponerse al día sin webhook.',
  sections: [
    { id: 'topics', title: 'De qué se avisa', body: Topics },
    { id: 'configurar', title: 'Configurar', body: Configure },
    { id: 'probar', title: 'Probar', body: Try },
    { id: 'entrega', title: 'Cómo se entrega', body: Delivery },
    { id: 'registro', title: 'El registro de entregas', body: Log },
    { id: 'reenviar', title: 'Reenviar lo que no llegó', body: Resend },
    { id: 'eventos', title: 'Ponerse al día con un cursor', body: Feed },
  ],
}

function Topics() {
  return (
    <>
      <p>
        Un webhook por topic, cada uno con su dirección.{' '}
        <Operation id="listarWebhooks">GET /v3/appnotificaciones</Operation> dice cuáles puede usar su app y cuáles
        tiene configurados.
      </p>
      <Facts
        caption="Los topics"
        heads={['Topic', 'Qué dice']}
        rows={TOPICS.map((topic) => [<Topic name={topic} />, DESCRIPTIONS[topic]])}
      />
    </>
  )
}

function Configure(reader: Reader) {
  return (
    <>
      <Example task="suscribir" {...reader} />
      <ul>
        <li>
          <code>Callback</code> es <code>https</code> y una dirección pública: a las internas no se llama nunca, se
          llamen como se llamen.
        </li>
        <li>
          <code>Secret</code>: si no lo envía, hacemos uno (<code>whsec_…</code>) y lo mostramos solo en esa respuesta.
          Puede enviar el suyo, de 16 a 256 caracteres, o <code>null</code> para recibir sin firma.
        </li>
        <li>
          <code>HeaderCustom01</code> a <code>03</code>: encabezados que su receptor pida, por ejemplo{' '}
          <code>Authorization</code>.
        </li>
        <li>
          Un <code>PUT</code> reemplaza todo, salvo el <code>Secret</code> que no se envía. <code>Activo: false</code>{' '}
          pausa; <code>DELETE</code> lo quita.
        </li>
      </ul>
    </>
  )
}

function Try(reader: Reader) {
  return (
    <>
      <p>
        Con{' '}
        <To reader={reader} slug="verificar">
          su receptor
        </To>{' '}
        escuchando, <Operation id="probarWebhook">POST …/prueba</Operation> manda ese topic con datos de muestra, de la
        forma verdadera y con <code>Prueba: true</code>. Su entrega queda en el registro:
      </p>
      <Example task="probar" {...reader} />
    </>
  )
}

function Delivery(reader: Reader) {
  return (
    <>
      <p>
        Un <code>POST</code> con el cuerpo en JSON. Cualquier respuesta 2xx dentro de los 15 segundos lo da por
        entregado: guarde, conteste, y trabaje después. Si no, se repite, siempre con el mismo <code>webhook-id</code>:
      </p>
      <Facts
        caption="Qué hace cada respuesta de su receptor"
        heads={['Su receptor', 'Qué hacemos']}
        rows={[
          [<Status code="2xx" />, 'Entregado.'],
          [
            'otra respuesta, o ninguna en 15 s',
            'Otra vez después de 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h y 24 h, con ±20 % al azar. Después queda fallida, y se puede reenviar.',
          ],
          [
            <>
              con <code>Retry-After</code>
            </>,
            'Otra vez cuando usted dice, hasta 24 horas después.',
          ],
          [<Status code="3xx" />, 'No se siguen redirecciones: cuenta como falla.'],
          [<Status code="410" />, 'El webhook se deshabilita en el momento.'],
        ]}
      />
      <p>
        Un webhook que solo falla durante 5 días se deshabilita, nunca se borra; antes se le escribe al contacto de la
        app, a las 6, 24 y 72 horas. Un <code>PUT</code> con <code>Activo: true</code> lo habilita, y lo que faltó se{' '}
        <To reader={reader} slug="suscribir" entry="reenviar">
          reenvía
        </To>
        .
      </p>
    </>
  )
}

function Log() {
  return (
    <>
      <p>
        <Operation id="listarEntregas">GET …/entregas</Operation> tiene 90 días de entregas de un topic, con cada
        intento: cuándo fue, cuánto tardó, qué contestó su lado. Se busca por <code>estado</code> (
        <code>pendiente</code>, <code>entregada</code>, <code>fallida</code>, <code>descartada</code>; varios con coma),{' '}
        <code>adminMail</code>, <code>evento</code>, <code>sid</code>, <code>desde</code> y <code>hasta</code>.
      </p>
      <p>
        <Named id="verEntrega">Una entrega</Named> trae además el cuerpo que se envió, la dirección a la que se llegó y
        lo que contestó su receptor: lo primero que uno pregunta cuando algo no llega.
      </p>
    </>
  )
}

function Resend(reader: Reader) {
  return (
    <>
      <p>
        Su receptor estuvo caído un día, o se suscribió tarde: nada se perdió.{' '}
        <Operation id="reenviarEntregas">POST …/entregas/reenviar</Operation> manda otra vez, de lo más viejo a lo más
        nuevo y con los mismos <code>Id</code>, lo que busquen esos mismos filtros. Lo que ocurrió mientras no había
        webhook cuenta como <code>descartada</code>. Con <code>simular=true</code> solo cuenta. Hace falta al menos un
        filtro; para reenviar todo, <code>todo=true</code>.
      </p>
      <Example task="reenviar" {...reader} />
    </>
  )
}

function Feed(reader: Reader) {
  return (
    <>
      <p>
        Todo lo anunciado a su app en los últimos 90 días se lee también en{' '}
        <Operation id="listarEventos">GET /v3/eventos</Operation>, con webhook o sin él, 100 por página, en el orden en
        que ocurrió. Guarde el enlace <code>next</code>, que está siempre, y siga desde ahí: un evento que se confirma
        tarde nunca queda salteado. <code>cursor=fin</code> empieza por lo que venga desde ahora.
      </p>
      <Example task="eventos" {...reader} />
      <p>
        Muchos combinan los dos: el webhook para enterarse en el momento, y esto una vez por hora para estar seguros.
        Los <code>Id</code> son los mismos, así que lo repetido se reconoce.
      </p>
    </>
  )
}
