import { Status } from '../../parts.tsx'
import { Example } from '../example.tsx'
import type { Chapter, Reader } from './chapter.ts'
import { Facts } from './facts.tsx'
import { Operation, To, Topic } from './links.tsx'

export const inviting: Chapter = {
  slug: 'invitar',
  title: 'Invitar una agencia',
  summary: 'Invitarla por correo, seguir en qué está la invitación, y qué puede hacer su app cuando se asocia.',
  sections: [
    { id: 'invitar', title: 'La invitación', body: Invitation },
    { id: 'seguir', title: 'En qué está', body: States },
    { id: 'registrada', title: 'Si ya está registrada', body: Registered },
    { id: 'reglas', title: 'Cuántas y por cuánto tiempo', body: Rules },
    { id: 'despues', title: 'Asociada: y ahora', body: Associated },
  ],
}

function Invitation(reader: Reader) {
  return (
    <>
      <p>
        Una agencia se asocia con su app por decisión propia.{' '}
        <Operation id="invitarAgencia">POST /v3/agencias</Operation> le manda un correo a quien la va a administrar, con
        un enlace a un formulario ya completado con lo que usted envía. Solo <code>AdminMail</code> es obligatorio; la
        provincia y la ciudad van como su sistema las tiene, y se{' '}
        <To reader={reader} slug="publicar" entry="traducir">
          traducen
        </To>
        .
      </p>
      <Example task="invitar" {...reader} />
      <p>
        La respuesta es <Status code={202} /> sin cuerpo; <code>Location</code> es la dirección de la agencia para su
        app: ahora la invitación, después la agencia misma.
      </p>
    </>
  )
}

function States(reader: Reader) {
  return (
    <>
      <p>
        Suscríbase a <Topic name="agencia.registrada" /> (
        <To reader={reader} slug="suscribir">
          cómo
        </To>
        ) y se entera en el momento. O lea <code>Location</code> cuando quiera: <code>GET</code> da la agencia, y{' '}
        <Operation id="verEstadoDeAgencia">OPTIONS</Operation> solo su estado.
      </p>
      <Facts
        caption="Estados de una invitación"
        heads={['Invitacion.Estado', 'Qué pasó', 'Qué hacer']}
        rows={[
          [
            <code>pendiente</code>,
            'El correo salió; falta que complete el formulario.',
            'Esperar. Vence a los 14 días.',
          ],
          [<code>aceptada</code>, 'Se registró: la agencia está asociada.', 'Trabajar con ella.'],
          [<code>vencida</code>, 'Pasaron 14 días.', 'Invitar otra vez, si todavía interesa.'],
          [<code>rebotada</code>, 'El correo no se pudo entregar.', 'Revisar la dirección.'],
          [<code>revocada</code>, 'Su app la retiró con desasociar.', 'Nada.'],
        ]}
      />
      <p>
        <code>Estado</code> es <code>invitada</code> hasta que se asocia, y entonces <code>asociada</code>. Una
        invitación que terminó se puede leer 90 días.
      </p>
    </>
  )
}

function Registered() {
  return (
    <p>
      Un correo que ya tiene cuenta da <Status code={409} />. <code>Extensions.Conectar</code> es una página para
      mandarle a su administrador: ahí entra con su clave, ve qué pide la app y acepta. Termina igual, con{' '}
      <Topic name="agencia.registrada" />.
    </p>
  )
}

function Rules() {
  return (
    <ul>
      <li>
        Invitar otra vez una dirección pendiente renueva el enlace y manda un correo más; el enlace anterior deja de
        servir.
      </li>
      <li>
        Hasta 3 correos a una misma dirección en 24 horas, y ninguno a quien pidió no recibir más: <Status code={400} />{' '}
        en <code>AdminMail</code>.
      </li>
      <li>
        Hasta 200 invitaciones por día y por app, salvo que el mercado diga otra cosa: <Status code={429} /> con{' '}
        <code>Retry-After</code>.
      </li>
      <li>
        <code>Mensaje</code> se cita como texto: los enlaces que tenga no se pueden seguir.
      </li>
    </ul>
  )
}

function Associated(reader: Reader) {
  return (
    <>
      <p>Los enlaces de la agencia dicen qué puede hacer su app con ella. Entre otras cosas:</p>
      <ul>
        <li>
          <Operation id="verProductosDeAgencia">GET …/productos</Operation>: su paquete, y cuántas publicaciones le
          quedan de cada exposición.
        </li>
        <li>
          <Operation id="editarAgencia">PUT</Operation>: cambiar sus datos, con permiso. Lo tiene la app que la invitó;
          otra lo pide al conectarse. Cada cambio se le avisa por correo al administrador.
        </li>
        <li>
          <To reader={reader} slug="publicar">
            Publicar sus autos
          </To>{' '}
          y{' '}
          <To reader={reader} slug="consultas">
            leer sus consultas
          </To>
          .
        </li>
        <li>
          <Operation id="desasociarAgencia">PATCH …/desasociar</Operation>: terminar la asociación. La agencia conserva
          su cuenta y sus otras apps; lo que su app publicó queda suspendido.
        </li>
      </ul>
    </>
  )
}
