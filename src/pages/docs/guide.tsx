import type { Document } from '../../http/openapi/document.ts'
import { PROBLEMS } from '../../http/problems.ts'
import { Anchored, Code, Status } from '../parts.tsx'
import { headerAnchor, operationAnchor } from './anchors.ts'
import { signingScript, tokenScript } from './examples.ts'

export interface Names {
  publicUrl: string
  signaturePrefix: string
}

/** How a request is signed, once, for all operations. */
export function SigningSection({ publicUrl, signaturePrefix }: Names) {
  const [scheme, own] = [`${signaturePrefix}-HMAC`, `x-${signaturePrefix.toLowerCase()}-`]
  return (
    <section id="firmar">
      <Anchored id="firmar" level={2}>
        Firmar una solicitud
      </Anchored>
      <p>
        Toda solicitud bajo <code>/v3</code> dice qué app la hace. Con el <code>AppKey</code> y el{' '}
        <code>AppSecret</code> de la app se firma cada una: el secreto nunca viaja.
      </p>
      <p class="formula">
        <code>
          Authorization: {scheme} {'{AppKey}:{firma}'}
        </code>
      </p>
      <p>
        La firma es <code>base64(HMAC-SHA256(AppSecret, texto))</code>, y el texto son estas líneas, unidas por{' '}
        <code>\n</code>:
      </p>
      <ol>
        <li>
          el método, en mayúsculas: <code>GET</code>
        </li>
        <li>
          el valor de <code>Digest</code>, o una línea vacía si la solicitud no tiene cuerpo
        </li>
        <li>
          el valor de <code>Date</code>, o una línea vacía si no se envía
        </li>
        <li>
          una línea <code>nombre:valor</code> por cada encabezado que empiece con <code>{own}</code>, con el nombre en
          minúsculas y por orden alfabético (si no hay ninguno, ninguna línea)
        </li>
        <li>
          la dirección tal como se envía, con su consulta: <code>/v3/colores?q=rojo</code>
        </li>
      </ol>
      <Code label="firmar.mjs: Node 20 o posterior, sin dependencias">{signingScript(publicUrl, signaturePrefix)}</Code>
      <ul>
        <li>
          La hora va en <code>{own}date</code> o en <code>Date</code> y puede diferir hasta 300 segundos de la del
          servidor.
        </li>
        <li>
          Con cuerpo hace falta <code>Digest: sha-256=…</code> (o <code>sha-512=…</code>) de sus bytes exactos, en
          base64.
        </li>
        <li>
          En <code>POST</code>, <code>PUT</code>, <code>PATCH</code> y <code>DELETE</code> cada firma sirve una sola
          vez. Dos solicitudes iguales en el mismo segundo se distinguen con un encabezado propio, como{' '}
          <code>{own}nonce</code>.
        </li>
      </ul>
      <p>
        Si la respuesta es <Status code={401} />, <code>Extensions.Codigo</code> dice por qué:{' '}
        <a href="/problemas/sin-autorizacion">qué significa cada código</a>.
      </p>
    </section>
  )
}

export function TokenSection({ publicUrl }: Names) {
  return (
    <section id="token">
      <Anchored id="token" level={2}>
        Usar un token
      </Anchored>
      <p>
        En lugar de firmar, una app puede pedir un token con OAuth 2.0 (<em>client credentials</em>) y enviarlo durante
        una hora. Es más simple y lo entiende cualquier biblioteca; a cambio, quien vea el token puede usarlo hasta que
        venza. Revocar el secreto con el que se pidió lo anula en menos de un segundo. Ver{' '}
        <a href={`#${operationAnchor('pedirToken')}`}>
          <code>POST /oauth/token</code>
        </a>
        .
      </p>
      <Code label="Con curl">{tokenScript(publicUrl)}</Code>
    </section>
  )
}

/** What holds for every operation, so that none has to repeat it. */
export function ConventionsSection({ document }: { document: Document }) {
  return (
    <section id="convenciones">
      <Anchored id="convenciones" level={2}>
        Convenciones
      </Anchored>
      <ul>
        <li>
          <strong>Representaciones.</strong> <code>Accept</code> elige la forma. La completa es{' '}
          <code>application/json</code> o el tipo propio que termina en <code>entry+json</code>. La de referencia, donde
          se ofrece, termina en <code>ref+json</code> y trae solo <code>href</code> y <code>title</code>.
        </li>
        <li>
          <strong>Enlaces.</strong> Los identificadores viven en <code>_links</code>: siga enlaces en lugar de armar
          direcciones. Un enlace con <code>templated</code> tiene huecos <code>{'{así}'}</code>; uno con{' '}
          <code>method</code> no es un <code>GET</code>.
        </li>
        <li>
          <strong>Versiones.</strong> Guarde el <code>ETag</code> y envíelo en <code>If-None-Match</code>: si nada
          cambió, la respuesta es <Status code={304} />, sin cuerpo, y no consume el límite de la app.
        </li>
        <li>
          <strong>Datos.</strong> Las fechas con hora llevan su diferencia con UTC. Los correos se comparan sin
          distinguir mayúsculas; las búsquedas por nombre, tampoco acentos. Los parámetros de consulta desconocidos se
          ignoran; los datos desconocidos de un cuerpo, no.
        </li>
        <li>
          <strong>Métodos.</strong> <code>HEAD</code> vale donde vale <code>GET</code>, y <code>OPTIONS</code> responde
          en <code>Allow</code> qué se puede hacer con cada dirección.
        </li>
      </ul>
      <h3>Encabezados de las respuestas</h3>
      <dl class="fields">
        {Object.entries(document.components.headers ?? {}).map(([name, { description, schema }]) => (
          <div key={name} id={headerAnchor(name)}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{description}</dd>
            {schema.examples && (
              <dd class="limit">
                <code>{String(schema.examples[0])}</code>
              </dd>
            )}
          </div>
        ))}
      </dl>
    </section>
  )
}

export function ProblemsSection() {
  return (
    <section id="problemas">
      <Anchored id="problemas" level={2}>
        Problemas
      </Anchored>
      <p>
        Todo rechazo es un cuerpo <code>application/problem+json</code> cuyo <code>Type</code> es la dirección de una
        página que lo explica.
      </p>
      <ul class="problem-list">
        {Object.entries(PROBLEMS).map(([name, { status, title }]) => (
          <li key={name}>
            <Status code={status} />
            <a href={`/problemas/${name}`}>{title}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}
