import type { FastifyReply } from 'fastify'
import type { VNode } from 'preact'
import { liveSecrets } from '../../../apps/secrets.ts'
import { signatureNames } from '../../../auth/signature.ts'
import { withQuery } from '../../../http/links.ts'
import type { Document } from '../../../http/openapi/document.ts'
import { documentOf } from '../../../http/openapi.ts'
import type { Errors } from '../../../http/problems.ts'
import { lazy } from '../../../memoize.ts'
import { agencyProgress } from '../../../resources/agencias/figures.ts'
import { signedCurl } from '../../docs/call.ts'
import { Area, FaultList, Field, Select } from '../../fields.tsx'
import { Fields, type FormFields } from '../../form-fields.tsx'
import { formatNumber } from '../../format.tsx'
import { HIDDEN, page } from '../../page.ts'
import { Code, CopyCode, Json, Method, Status } from '../../parts.tsx'
import { allowScript } from '../../security.ts'
import { type PageDeps, seeOther } from '../../signed-in.ts'
import { type PortalContext, PortalPage, type PortalPages } from '../context.tsx'
import {
  type CallParams,
  type CallResponse,
  exampleParams,
  examplesOf,
  METODOS,
  parseParams,
  type SignedCall,
  sendCall,
  signedCall,
  targetOf,
} from './call.ts'

const MAX_TRY_BYTES = 65_536 // the body is typed or pasted by hand
const NO_SECRET = 'La app no tiene ninguna clave vigente. Haga una en Claves.'
const DISABLED = 'La app está deshabilitada: la API no la atiende.'

/** /portal/{AppKey}/probar: sends an API call that the portal signs. A GET is in the query string, so it can be shared. */
export function tryRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, seal, config, nowMs } = deps
  const { scheme } = signatureNames(config.signaturePrefix)
  const examples = lazy(() => examplesNav(documentOf(app)))

  function show(
    reply: FastifyReply,
    ctx: PortalContext,
    params: CallParams,
    more: Pick<TryProps, 'errors' | 'tried'> = {},
  ): FastifyReply {
    const content = tryPage({ ctx, params, examples: examples(), publicUrl: config.publicUrl, scheme, ...more })
    return page(allowScript(reply), content, more.errors ? 400 : 200)
  }

  /** Audited before the call, because the response may hold personal data. */
  async function run(reply: FastifyReply, ctx: PortalContext, params: CallParams): Promise<FastifyReply> {
    const checked = targetOf(params, config.publicUrl)
    if (checked.errors) return show(reply, ctx, params, { errors: checked.errors })
    const [newest] = await liveSecrets(store, seal, ctx.app.id)
    if (ctx.app.disabled || !newest) return show(reply, ctx, params, { errors: { _: [newest ? DISABLED : NO_SECRET] } })
    const { appKey } = ctx.app
    const signer = { appKey, secret: newest.secret, prefix: config.signaturePrefix }
    const call = signedCall(params, checked.target, signer, ctx.now)
    await ctx.audit('api.probar', appKey, { metodo: call.method, ruta: call.target.split('?', 1)[0] })
    return show(reply, ctx, params, { tried: { call, response: await sendCall(app, call, nowMs) } })
  }

  app.get('/probar', async (request, reply) => {
    const { ctx } = request
    const query = new URL(request.originalUrl, config.publicUrl).searchParams
    const ejemplo = query.get('ejemplo')
    if (ejemplo !== null) {
      const { example } = await agencyProgress(store, ctx.app)
      return show(reply, ctx, exampleParams(documentOf(app), ejemplo, example?.adminMail))
    }
    const params: CallParams = { ...parseParams(query), metodo: 'GET', cuerpo: '' }
    const only = params.ruta === '' || query.has('preparar') || isFromAnotherSite(request.headers['sec-fetch-site'])
    return only ? show(reply, ctx, params) : run(reply, ctx, params)
  })

  app.post('/probar', { ...HIDDEN, bodyLimit: MAX_TRY_BYTES }, async ({ ctx, form }, reply) => {
    const params = parseParams(form)
    if (params.metodo !== 'GET' || targetOf(params, config.publicUrl).errors) return run(reply, ctx, params)
    const { ruta, accept, etag } = params
    return seeOther(
      reply,
      withQuery(`${ctx.basePath}/probar`, { ruta, ...(accept && { accept }), ...(etag && { etag }) }),
    )
  })
}

/** A link from another site only fills the form; the person sends it. */
const isFromAnotherSite = (site: unknown): boolean => site !== undefined && site !== 'same-origin' && site !== 'none'

interface TryProps {
  ctx: PortalContext
  params: CallParams
  examples: VNode
  publicUrl: string
  scheme: string
  errors?: Errors | undefined
  tried?: { call: SignedCall; response: CallResponse } | undefined
}

const HEADER_FIELDS: FormFields = {
  accept: {
    label: 'Accept',
    optional: true,
    more: { placeholder: 'application/json', autocomplete: 'off', spellcheck: false },
  },
  etag: {
    label: 'If-None-Match',
    hint: 'El ETag de una respuesta anterior: si nada cambió, la respuesta es 304.',
    optional: true,
    more: { autocomplete: 'off', spellcheck: false },
  },
}

const LABELS = { ruta: 'Dirección', cuerpo: 'Cuerpo', accept: 'Accept', etag: 'If-None-Match' }

function tryPage({ ctx, params, examples, publicUrl, scheme, errors, tried }: TryProps) {
  const at = `${ctx.basePath}/probar`
  return (
    <PortalPage
      ctx={ctx}
      section="/probar"
      title="Probar la API"
      intro={
        <p>
          El portal firma con la clave de su app y llama de verdad.{' '}
          {ctx.app.modo === 'produccion'
            ? 'Su app es de producción: lo que cambie aquí, cambia para las agencias.'
            : 'Su app es de prueba: puede cambiar lo que quiera.'}
        </p>
      }
      faulty={Boolean(errors)}
      script
    >
      <div class="with-side">
        <div>
          <RequestForm at={at} params={params} errors={errors} />
          {tried && <ResponseSection response={tried.response} at={at} />}
          {tried && <RequestSection call={tried.call} publicUrl={publicUrl} scheme={scheme} />}
        </div>
        {examples}
      </div>
    </PortalPage>
  )
}

const RequestForm = ({ at, params, errors }: { at: string; params: CallParams; errors: Errors | undefined }) => (
  <form method="post" action={at} class="sheet trying" novalidate>
    <FaultList errors={errors} labels={LABELS} />
    <div class="line">
      <Select name="metodo" label="Método" choices={METODOS} value={params.metodo} />
      <Field
        name="ruta"
        label={LABELS.ruta}
        value={params.ruta}
        errors={errors}
        more={{ placeholder: '/v3/colores', autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
      />
    </div>
    <details open={params.cuerpo !== ''}>
      <summary>Cuerpo (JSON)</summary>
      <Area
        name="cuerpo"
        label={LABELS.cuerpo}
        hint="Con POST, PUT y PATCH."
        value={params.cuerpo}
        errors={errors}
        optional
        more={{ rows: 10, spellcheck: false, class: 'mono' }}
      />
    </details>
    <details open={Boolean(params.accept || params.etag || errors?.accept || errors?.etag)}>
      <summary>Encabezados</summary>
      <Fields fields={HEADER_FIELDS} given={params} errors={errors} />
    </details>
    <button type="submit">Firmar y enviar</button>
  </form>
)

/** The list of examples; its links are relative, so all apps share it. */
const examplesNav = (document: Document): VNode => (
  <nav aria-labelledby="ejemplos" class="examples">
    <h2 id="ejemplos">Ejemplos</h2>
    <p class="hint">Elija uno: aparece escrito, y lo envía cuando quiera.</p>
    {document.tags.map(({ name, 'x-displayName': title }) => {
      const examples = examplesOf(document).filter(({ operation }) => operation.tags[0] === name)
      if (examples.length === 0) return null
      return (
        <details key={name}>
          <summary>{title}</summary>
          <ul>
            {examples.map(({ method, operation: { operationId, summary } }) => (
              <li key={operationId}>
                <a href={`?ejemplo=${operationId}`}>
                  <Method name={method} /> {summary}
                </a>
              </li>
            ))}
          </ul>
        </details>
      )
    })}
  </nav>
)

/** The response; links to the API in it lead to this page, which is `at`. */
function ResponseSection({ response, at }: { response: CallResponse; at: string }) {
  const { status, reason, ms, headers, body, bytes } = response
  const value = jsonOf(response)
  return (
    <section aria-labelledby="respuesta">
      <h2 id="respuesta">Respuesta</h2>
      <p class="facts" role="status">
        <span>
          <Status code={status} /> {reason}
        </span>
        <span>{formatNumber(Math.max(1, Math.round(ms)))} ms</span>
        <span>{formatNumber(bytes)} bytes</span>
      </p>
      {bytes > 0 && (
        <Code label={value === undefined && body.length < bytes ? 'El comienzo del cuerpo' : 'Cuerpo'}>
          {value === undefined ? body : <Json value={value} hrefOf={(text) => tryHref(text, at)} />}
        </Code>
      )}
      <details>
        <summary>Encabezados de la respuesta</summary>
        <Code label="Encabezados">{headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</Code>
      </details>
    </section>
  )
}

/** The parsed body, if it is complete and JSON. */
function jsonOf({ headers, body, bytes }: CallResponse): unknown {
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? ''
  if (!/json/.test(type) || Buffer.byteLength(body) !== bytes) return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** A link to an API address; one with placeholders only fills the form. */
function tryHref(text: string, at: string): string | undefined {
  if (!/^\/v3(\/|\?|$)/.test(text)) return undefined
  return withQuery(at, { ruta: text, ...(text.includes('{') && { preparar: 'si' }) })
}

const RequestSection = ({ call, publicUrl, scheme }: { call: SignedCall; publicUrl: string; scheme: string }) => (
  <section aria-labelledby="solicitud">
    <h2 id="solicitud">Cómo se firmó</h2>
    <CopyCode id="texto-a-firmar" label="El texto que se firma, con su AppSecret" what="el texto que se firma">
      {call.text}
    </CopyCode>
    <Code label="La solicitud, como salió">
      {[
        `${call.method} ${call.target} HTTP/1.1`,
        ...Object.entries(call.headers).map(([name, value]) => `${name}: ${value}`),
        ...(call.body === undefined ? [] : ['', call.body]),
      ].join('\n')}
    </Code>
    <CopyCode id="curl" label="La misma en una terminal, con APP_KEY y APP_SECRET" what="la orden para la terminal">
      {signedCurl(curlOf(call), publicUrl, scheme)}
    </CopyCode>
  </section>
)

const curlOf = ({ method, target, body }: SignedCall) => ({
  method: method.toLowerCase() as Lowercase<typeof method>,
  target,
  ...(body !== undefined && { body }),
})
