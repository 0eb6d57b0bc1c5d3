import { TEST_DOMAIN } from '../../../mail/email.ts'
import { Status } from '../../parts.tsx'
import { Example } from '../example.tsx'
import type { Chapter, Reader } from './chapter.ts'
import { Facts } from './facts.tsx'
import { Operation, To } from './links.tsx'

export const rehearsing: Chapter = {
  slug: 'ensayar',
  title: 'Ensayar sin esperar a nadie',
  summary:
    'El modo de prueba: agencias que ya están, invitaciones que se aceptan solas, consultas cuando usted quiera.',
  sections: [
    { id: 'modo', title: 'El modo de prueba', body: Mode },
    { id: 'consultas', title: 'Que alguien pregunte', body: Inquiries },
    { id: 'invitaciones', title: 'Invitaciones que contestan', body: Invitations },
    { id: 'herramientas', title: 'Desde la terminal', body: Tools },
    { id: 'portal', title: 'En el portal', body: Portal },
  ],
}

function Mode() {
  return (
    <>
      <p>
        Una app en modo de prueba habla con la misma API y no toca nada de verdad: ve solo agencias de prueba, y ninguna
        app de producción las ve. Cada respuesta lo dice con el encabezado <code>Modo: prueba</code>. Pida al mercado
        las claves de una; en un servidor propio es <code>npx rodado app create --nombre 'Mi app' --modo prueba</code>.
      </p>
      <p>
        Desde el primer minuto hay tres agencias asociadas, con sus autos publicados por su app. Pasar a producción es
        cambiar el <code>AppKey</code> y el <code>AppSecret</code>: el programa es el mismo.
      </p>
    </>
  )
}

function Inquiries(reader: Reader) {
  return (
    <>
      <p>
        <Operation id="generarConsultasDePrueba">POST /v3/prueba/consultas</Operation> hace que personas inventadas
        pregunten, hasta 50 por vez. Las consultas llegan por el camino de las verdaderas: se leen, se cuentan y salen
        por sus webhooks.
      </p>
      <Example task="ensayar" {...reader} />
      <p>
        Con las claves de una app de producción es <Status code={403} />.
      </p>
    </>
  )
}

function Invitations(reader: Reader) {
  return (
    <>
      <p>
        En modo de prueba,{' '}
        <To reader={reader} slug="invitar">
          invite
        </To>{' '}
        una dirección de <code>{TEST_DOMAIN}</code>, que no es de nadie: el correo no sale, y la invitación se contesta
        sola.
      </p>
      <Facts
        caption="Qué hace cada dirección de prueba"
        heads={['Dirección', 'Qué pasa']}
        rows={[
          [
            <code>cualquiera@{TEST_DOMAIN}</code>,
            'La acepta en unos segundos: queda asociada, con autos, y sale su notificación.',
          ],
          [<code>rebota…@{TEST_DOMAIN}</code>, 'El correo no llega: la invitación queda rebotada.'],
          [<code>ignora…@{TEST_DOMAIN}</code>, 'Nadie contesta: queda pendiente.'],
        ]}
      />
    </>
  )
}

function Tools() {
  return (
    <>
      <p>
        Con el programa del servidor a mano; <code>--app</code>, <code>--secret</code> y <code>--url</code> dicen quién
        llama y a dónde:
      </p>
      <Facts
        caption="Comandos para quien desarrolla"
        heads={['Comando', 'Qué hace']}
        rows={[
          [<code>rodado call GET /v3</code>, 'Firma una llamada y muestra la respuesta.'],
          [<code>rodado listen</code>, 'Escucha notificaciones en su máquina, las verifica y las muestra.'],
          [<code>rodado trigger consulta.recibida</code>, 'Pide una notificación de prueba de ese topic.'],
          [<code>rodado events --follow</code>, 'Muestra los eventos a medida que ocurren.'],
          [
            <code>rodado certify --receiver URL --firma SECRET</code>,
            'Le manda a su receptor notificaciones buenas, falsas, viejas y repetidas, y dice qué hizo mal.',
          ],
        ]}
      />
    </>
  )
}

function Portal() {
  return (
    <p>
      En <a href="/entrar">el portal de su app</a> hay lo mismo sin escribir nada: una consola que firma por usted, el
      registro de entregas con cada intento y su reenvío, los eventos, los límites, y una lista de puesta en marcha que
      se tilda sola con lo que su app ya hizo.
    </p>
  )
}
