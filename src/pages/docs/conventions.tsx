import type { Document } from '../../http/openapi/document.ts'
import { PROBLEMS } from '../../http/problems.ts'
import { Anchored, Status } from '../parts.tsx'
import { headerAnchor, operationAnchor } from './anchors.ts'
import type { Names } from './examples.ts'

/** Authentication in short, with a link to the guide. */
export function AuthenticationSection({ signaturePrefix }: Names) {
  const [scheme, own] = [`${signaturePrefix}-HMAC`, `X-${signaturePrefix}-`]
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
        <code>\n</code>: el método; el valor de <code>Digest</code>, o nada; el de <code>Date</code>, o nada; una línea{' '}
        <code>nombre:valor</code> por cada encabezado <code>{own}…</code>, con el nombre en minúsculas y por orden
        alfabético; la ruta con su consulta, tal como se envía.
      </p>
      <p>
        <a href="/docs/guia/firmar">Firmar una llamada</a> lo explica con un cliente listo en curl, TypeScript, Python,
        PHP y C#. Los <code>curl</code> de esta página se firman solos: con <code>APP_KEY</code> y{' '}
        <code>APP_SECRET</code> en el entorno, se pegan y andan.
      </p>
      <p id="token">
        O con un token de OAuth 2.0, que sirve una hora: <code>Authorization: Bearer {'{token}'}</code>. Se pide en{' '}
        <a href={`#${operationAnchor('pedirToken')}`}>
          <code>POST /oauth/token</code>
        </a>
        ; <a href="/docs/guia/firmar#token">con ejemplos</a>.
      </p>
    </section>
  )
}

/** The conventions of all operations. */
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
          distinguir mayúsculas; las búsquedas por nombre, tampoco acentos. Los nombres de los parámetros de consulta,
          tampoco mayúsculas. Al leer, los parámetros desconocidos o vacíos se ignoran; en <code>POST</code>,{' '}
          <code>PUT</code>, <code>PATCH</code> y <code>DELETE</code> son un 400 que los nombra, igual que los datos
          desconocidos de un cuerpo.
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
