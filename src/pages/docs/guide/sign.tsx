import { Code, Status } from '../../parts.tsx'
import { Example } from '../example.tsx'
import type { Chapter, Reader } from './chapter.ts'
import { Named, Operation, To } from './links.tsx'
import { PROOF_KEY, PROOF_SECRET, type Proof, signingProofs } from './proofs.ts'

export const signing: Chapter = {
  slug: 'firmar',
  title: 'Firmar una llamada',
  summary: 'De las dos claves de su app a la primera respuesta, firmando cada solicitud o con un token.',
  sections: [
    { id: 'claves', title: 'Las claves', body: Keys },
    { id: 'texto', title: 'Qué se firma', body: WhatIsSigned },
    { id: 'cliente', title: 'Un cliente de un archivo', body: Client },
    { id: 'primera', title: 'La primera llamada', body: FirstCall },
    { id: 'comprobar', title: 'Compruebe su firma', body: Proofs },
    { id: 'token', title: 'O con un token', body: Token },
    { id: 'rechazos', title: 'Si la respuesta es 401', body: Refused },
  ],
}

function Keys() {
  return (
    <>
      <p>
        El mercado le da a su app un <code>AppKey</code>, que la nombra, y un <code>AppSecret</code>, que firma y se
        muestra una sola vez. Los ejemplos los leen del entorno:
      </p>
      <Code label="En la terminal">{'export APP_KEY=…\nexport APP_SECRET=…'}</Code>
      <p>
        Una app puede tener dos secretos a la vez: así se cambia uno sin cortar nada. El nuevo empieza a servir, todo lo
        suyo pasa a usarlo, y recién entonces se revoca el anterior.
      </p>
    </>
  )
}

function WhatIsSigned({ names: { signaturePrefix } }: Reader) {
  const [{ text } = { text: '' }] = signingProofs(signaturePrefix).slice(1)
  const [method, digest, date, ...rest] = text.split('\n')
  const notes = ['el método', 'Digest del cuerpo', 'Date: vacía, no se envía', 'encabezados propios', '', 'la ruta']
  const width = 64
  const lines = [method, digest, date, ...rest].map((line = '', at) =>
    notes[at] ? `${line.padEnd(width)}  ← ${notes[at]}` : line,
  )
  return (
    <>
      <p class="formula">
        <code>
          Authorization: {signaturePrefix}-HMAC {'{AppKey}:{firma}'}
        </code>
      </p>
      <p>
        La firma es <code>base64(HMAC-SHA256(AppSecret, texto))</code>. El texto son estas líneas unidas por{' '}
        <code>\n</code>, sin una al final. El secreto nunca viaja, y nadie puede cambiar en el camino lo que se firmó.
      </p>
      <Code label="El texto de un POST">{lines.join('\n')}</Code>
      <ul>
        <li>
          <strong>Digest.</strong> Con cuerpo hace falta: <code>sha-256=</code> (o <code>sha-512=</code>) y el base64 de
          sus bytes exactos. Sin cuerpo la línea queda vacía.
        </li>
        <li>
          <strong>La hora</strong> va en <code>X-{signaturePrefix}-Date</code> o en <code>Date</code>, y puede diferir
          hasta 300 segundos de la nuestra.
        </li>
        <li>
          <strong>Los encabezados propios</strong>, los que empiezan con <code>X-{signaturePrefix}-</code>: una línea{' '}
          <code>nombre:valor</code> cada uno, el nombre en minúsculas, por orden alfabético.
        </li>
        <li>
          <strong>La ruta</strong> con su consulta, tal como se envía: si firma <code>Bs%20As</code>, no envíe{' '}
          <code>Bs+As</code>.
        </li>
        <li>
          <strong>Una vez.</strong> En <code>POST</code>, <code>PUT</code>, <code>PATCH</code> y <code>DELETE</code>{' '}
          cada firma sirve una sola vez; un <code>X-{signaturePrefix}-Nonce</code> al azar distingue dos solicitudes
          iguales en el mismo segundo.
        </li>
      </ul>
    </>
  )
}

function Client(reader: Reader) {
  const { language } = reader
  return (
    <>
      <p>
        Guárdelo: los demás ejemplos de la guía lo llaman. Firma, envía, y convierte un rechazo en un error con todo lo
        que dice.
      </p>
      <Example task="rodado" {...reader} />
      {language === 'typescript' && (
        <p>
          Para algo más que un ensayo está <code>@rodado/client</code>, el cliente que viene con el servidor, sin
          dependencias: cada operación con sus tipos, firma, reintentos, páginas, el hilo de eventos y la verificación
          de notificaciones.
        </p>
      )}
    </>
  )
}

function FirstCall(reader: Reader) {
  const { language } = reader
  return (
    <>
      <p>Con el cliente en la misma carpeta:</p>
      <Example task="firmar" {...reader} />
      {language === 'csharp' && (
        <p>
          En C#, <code>dotnet new console</code> hace un proyecto: ponga en él <code>Rodado.cs</code> y este archivo en
          lugar de <code>Program.cs</code>. Lo mismo vale para los demás ejemplos.
        </p>
      )}
      <p>
        La respuesta es <Status code={200} /> con los colores que se llaman así. Pruebe también <code>GET /v3</code>,{' '}
        <Named id="verPuntosDeEntrada">los puntos de entrada</Named>: desde ahí se llega a todo siguiendo enlaces.
      </p>
    </>
  )
}

function Proofs({ names: { signaturePrefix } }: Reader) {
  return (
    <>
      <p>
        Si escribe su propia firma, compárela con estas. El <code>AppKey</code> es <code>{PROOF_KEY}</code> y el{' '}
        <code>AppSecret</code> <code>{PROOF_SECRET}</code>; no abren nada.
      </p>
      {signingProofs(signaturePrefix).map((proof) => (
        <Code key={proof.request} label={proof.request}>
          {printed(proof)}
        </Code>
      ))}
    </>
  )
}

function printed({ headers, body, signature }: Proof): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [...lines, ...(body ? ['', body] : []), '', `firma  ${signature}`].join('\n')
}

function Token(reader: Reader) {
  return (
    <>
      <p>
        En lugar de firmar, una app puede pedir un token con OAuth 2.0 (<em>client credentials</em>) y enviarlo durante
        una hora. Es más simple y lo entiende cualquier biblioteca; a cambio, quien vea el token puede usarlo hasta que
        venza. Revocar el secreto con el que se pidió lo anula en menos de un segundo. Ver{' '}
        <Operation id="pedirToken">POST /oauth/token</Operation>.
      </p>
      <Example task="con-token" {...reader} />
    </>
  )
}

function Refused(reader: Reader) {
  return (
    <>
      <p>
        <code>Extensions.Codigo</code> dice por qué, y <a href="/problemas/sin-autorizacion">su página</a> qué revisar
        en cada caso. Los tres más comunes: un reloj corrido (<code>fecha-fuera-de-rango</code>), una ruta firmada de
        otra manera que la enviada (<code>firma-invalida</code>), y un reintento que repite la firma en lugar de hacer
        una nueva (<code>repetida</code>).
      </p>
      <p>
        De los demás rechazos trata{' '}
        <To reader={reader} slug="errores">
          Errores y reintentos
        </To>
        .
      </p>
    </>
  )
}
