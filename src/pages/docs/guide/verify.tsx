import { Code } from '../../parts.tsx'
import { Example } from '../example.tsx'
import type { Chapter, Reader } from './chapter.ts'
import { Facts } from './facts.tsx'
import { Operation } from './links.tsx'
import { deliveryProof } from './proofs.ts'

export const verifying: Chapter = {
  slug: 'verificar',
  title: 'Verificar una notificación',
  summary: 'Que lo que llega a su receptor es nuestro, es de ahora, y se cuenta una sola vez.',
  sections: [
    { id: 'receptor', title: 'Un receptor', body: Receiver },
    { id: 'encabezados', title: 'Qué trae', body: HeadersTable },
    { id: 'repetidos', title: 'Cada notificación, una vez', body: Once },
    { id: 'rotar', title: 'Cambiar el Secret sin perder nada', body: Rotation },
    { id: 'notificacion', title: 'Los encabezados Notification', body: Notification },
    { id: 'comprobar', title: 'Compruebe su verificación', body: Proof },
  ],
}

function Receiver(reader: Reader) {
  const { language } = reader
  return (
    <>
      <p>
        Su dirección es pública: cualquiera puede llamarla. La firma dice quién llama. Es la de{' '}
        <a href="https://www.standardwebhooks.com">Standard Webhooks</a>, así que con una biblioteca de ellos es una
        línea; a mano es esto:
      </p>
      <Example task="verificar" {...reader} />
      {language === 'curl' && (
        <p>
          Con curl no se escucha, pero se puede mirar una notificación a mano. En los otros lenguajes es un receptor
          completo.
        </p>
      )}
      <ol>
        <li>
          <strong>Los bytes, como llegaron.</strong> Se firma <code>id.momento.cuerpo</code>; un JSON leído y vuelto a
          escribir ya es otro.
        </li>
        <li>
          <strong>La clave.</strong> De un <code>whsec_…</code>, lo que sigue en base64; de un <code>Secret</code>{' '}
          propio, su texto.
        </li>
        <li>
          <strong>La ventana.</strong> Más de 300 segundos de diferencia: puede ser alguien que guardó una notificación
          y la repite.
        </li>
        <li>
          <strong>Sin apuro.</strong> Compare en tiempo constante, para que el reloj no cuente cuánto acertaron.
        </li>
        <li>
          <strong>Guardar, contestar, trabajar.</strong> En ese orden: un 204 dice que ya es responsabilidad suya.
        </li>
      </ol>
    </>
  )
}

function HeadersTable() {
  return (
    <Facts
      caption="Encabezados de una notificación"
      heads={['Encabezado', 'Qué es']}
      rows={[
        [<code>webhook-id</code>, 'El Id del evento: el mismo en cada intento y en cada reenvío.'],
        [<code>webhook-timestamp</code>, 'Cuándo salió este intento, en segundos Unix.'],
        [<code>webhook-signature</code>, 'Una o más firmas, cada una v1, y base64, separadas por un espacio.'],
        [<code>webhook-attempt</code>, 'Qué intento es, reenvíos incluidos.'],
        [<code>Notification-Topic</code>, 'El topic, para elegir qué hacer antes de abrir el cuerpo.'],
        [<code>Notification-Signature</code>, 'La firma de id, momento y topic; más abajo.'],
        [<code>traceparent</code>, 'La traza, para seguirla en sus registros y en los nuestros.'],
      ]}
    />
  )
}

function Once() {
  return (
    <>
      <p>
        Una notificación llega al menos una vez. Puede llegar dos: su 204 se perdió en el camino, o alguien pidió un
        reenvío. Siempre con el mismo <code>webhook-id</code>, que es también <code>Id</code> en el cuerpo: guárdelo con
        una clave única, y lo repetido se reconoce solo. Conteste 2xx también a lo repetido.
      </p>
      <p>
        El orden no está garantizado cuando algo se reintenta: compare <code>Momento</code>, o lea el recurso al que
        lleva la notificación. Ignore los datos que no conozca y los topics que no espere; <code>Prueba: true</code> es
        un ensayo.
      </p>
    </>
  )
}

function Rotation() {
  return (
    <>
      <p>
        Un <Operation id="editarWebhook">PUT</Operation> con otro <code>Secret</code> lo reemplaza, y durante 24 horas
        firman los dos:
      </p>
      <ol>
        <li>
          Envíe el nuevo. Desde ese momento <code>webhook-signature</code> trae dos firmas; su receptor, que aún tiene
          el anterior, encuentra la suya.
        </li>
        <li>Ponga el nuevo en su receptor, cuando quiera dentro de esas 24 horas.</li>
        <li>El anterior deja de firmar solo.</li>
      </ol>
      <p>
        Un <code>Secret</code> no se vuelve a mostrar: se lee como <code>********</code> y sus últimos cuatro
        caracteres.
      </p>
    </>
  )
}

function Notification(reader: Reader) {
  return (
    <>
      <p>
        La misma notificación trae una segunda firma, para receptores escritos para esa convención. Firma el id, el
        momento y el topic, <strong>no el cuerpo</strong>: si puede elegir, verifique <code>webhook-signature</code>.
        Mientras se cambia el <code>Secret</code>, la del anterior está en <code>Notification-Signature-Anterior</code>.
      </p>
      <Example task="notificacion" {...reader} />
    </>
  )
}

function Proof() {
  const { secret, id, timestamp, topic, body, ofMessage, ofNotification } = deliveryProof()
  const lines = [
    `Secret: ${secret}`,
    '',
    `webhook-id: ${id}`,
    `webhook-timestamp: ${timestamp}`,
    `Notification-Topic: ${topic}`,
    '',
    body,
    '',
    `webhook-signature: ${ofMessage}`,
    `Notification-Signature: ${ofNotification}`,
  ]
  return (
    <>
      <p>
        Con estos datos salen estas firmas. La hora es vieja: compruebe aparte que su receptor, entero, lo rechaza por
        eso.
      </p>
      <Code label="Una notificación de muestra">{lines.join('\n')}</Code>
    </>
  )
}
