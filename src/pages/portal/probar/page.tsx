import type { VNode } from 'preact'
import type { Call } from '../../../apps/call-log.ts'
import type { SavedCall } from '../../../apps/saved-calls.ts'
import { withQuery } from '../../../http/links.ts'
import type { Document } from '../../../http/openapi/document.ts'
import type { Errors } from '../../../http/problems.ts'
import { rich, t } from '../../../i18n/messages.tsx'
import { orUndefined } from '../../../memoize.ts'
import { signedCurl } from '../../docs/call.ts'
import { translate } from '../../docs/translate.ts'
import { Area, Field, Form, Select } from '../../fields.tsx'
import { Fields, type FormFields } from '../../form-fields.tsx'
import { formatNumber } from '../../format.tsx'
import { Code, CopyCode, FoldingJson, Method, PostButton, Status } from '../../parts.tsx'
import { type PortalContext, PortalPage } from '../context.tsx'
import { type CallParams, type CallResponse, examplesOf, METODOS, type SignedCall } from './call.ts'

export const MAX_NAME_LENGTH = 60

export interface TryProps {
  ctx: PortalContext
  params: CallParams
  agencies: { adminMail: string; nombre: string }[]
  saved: SavedCall[]
  history: Call[]
  examples: VNode
  publicUrl: string
  scheme: string
  errors?: Errors | undefined
  tried?: { call: SignedCall; response: CallResponse } | undefined
}

/** What is the same in every language. */
const NAMES = { accept: 'Accept', etag: 'If-None-Match' }
const EXAMPLES = { accept: 'application/json', ruta: '/v3/colores' }

const headerFields = (): FormFields => ({
  accept: {
    label: NAMES.accept,
    optional: true,
    more: { placeholder: EXAMPLES.accept, autocomplete: 'off', spellcheck: false },
  },
  etag: {
    label: NAMES.etag,
    hint: t('portal.try.etagHint'),
    optional: true,
    more: { autocomplete: 'off', spellcheck: false },
  },
})

const fieldLabels = () => ({
  ...NAMES,
  ruta: t('portal.calls.path'),
  cuerpo: t('portal.try.body'),
  nombre: t('portal.try.name'),
})

export function tryPage({ ctx, params, errors, tried, ...props }: TryProps) {
  const at = `${ctx.basePath}/probar`
  return (
    <PortalPage
      ctx={ctx}
      title={t('portal.try.title')}
      intro={<p>{t(ctx.app.modo === 'produccion' ? 'portal.try.introLive' : 'portal.try.introTest')}</p>}
      script
    >
      <div class="with-side">
        <div>
          <RequestForm at={at} params={params} agencies={props.agencies} errors={errors} />
          {tried && <ResponseSection response={tried.response} ctx={ctx} at={at} />}
          {tried && <RequestSection call={tried.call} publicUrl={props.publicUrl} scheme={props.scheme} />}
        </div>
        <div>
          {params.ruta === '' && <SavedCalls at={at} saved={props.saved} />}
          {params.ruta === '' && <History at={at} basePath={ctx.basePath} calls={props.history} />}
          {props.examples}
        </div>
      </div>
    </PortalPage>
  )
}

type RequestFormProps = Pick<TryProps, 'params' | 'agencies' | 'errors'> & { at: string }

const RequestForm = ({ at, params, agencies, errors }: RequestFormProps) => (
  <Form action={at} class="sheet trying" given={params} errors={errors} labels={fieldLabels()}>
    <div class="line">
      <Select name="metodo" label={t('portal.calls.method')} choices={METODOS} value={params.metodo} />
      <Field
        name="ruta"
        label={t('portal.calls.path')}
        value={params.ruta}
        more={{ placeholder: EXAMPLES.ruta, autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
      />
    </div>
    {agencies.length > 0 && (
      <Select
        name="agencia"
        label={t('portal.calls.agency')}
        hint={t('portal.try.agencyHint')}
        placeholder={t('portal.try.noAgency')}
        choices={agencies.map(({ adminMail, nombre }) => [adminMail, `${nombre} (${adminMail})`] as const)}
        value={params.agencia}
        optional
      />
    )}
    <details open={params.cuerpo !== ''}>
      <summary>{t('portal.try.bodyJson')}</summary>
      <Area
        name="cuerpo"
        label={t('portal.try.body')}
        hint={t('portal.try.bodyHint')}
        value={params.cuerpo}
        optional
        more={{ rows: 10, spellcheck: false, class: 'mono' }}
      />
    </details>
    <details open={Boolean(params.accept || params.etag || errors?.accept || errors?.etag)}>
      <summary>{t('portal.try.headers')}</summary>
      <Fields fields={headerFields()} />
    </details>
    <button type="submit">{t('portal.try.send')}</button>
    <details open={Boolean(errors?.nombre)}>
      <summary>{t('portal.try.saveThis')}</summary>
      <Field
        name="nombre"
        label={t('portal.try.name')}
        more={{ maxlength: MAX_NAME_LENGTH, autocomplete: 'off' }}
        optional
      />
      <button type="submit" name="accion" value="guardar" class="secondary">
        {t('portal.try.save')}
      </button>
    </details>
  </Form>
)

const SavedCalls = ({ at, saved }: { at: string; saved: readonly SavedCall[] }) =>
  saved.length === 0 ? null : (
    <nav aria-labelledby="guardadas" class="examples">
      <h2 id="guardadas">{t('portal.try.saved')}</h2>
      <ul>
        {saved.map(({ id, nombre, metodo }) => (
          <li key={id} class="row">
            <a href={`${at}?guardada=${id}`}>
              <Method name={metodo.toLowerCase()} /> {nombre}
            </a>
            <PostButton action={`${at}/guardadas/${id}/quitar`} class="secondary small">
              {rich('portal.try.removeSaved', { nombre })}
            </PostButton>
          </li>
        ))}
      </ul>
    </nav>
  )

const History = ({ at, basePath, calls }: { at: string; basePath: string; calls: readonly Call[] }) =>
  calls.length === 0 ? null : (
    <nav aria-labelledby="historial" class="examples">
      <h2 id="historial">{t('portal.try.history')}</h2>
      <ul>
        {calls.map(({ id, metodo, ruta, estado }) => (
          <li key={id}>
            <a href={`${at}?llamada=${id}`} class="anywhere">
              <Method name={metodo.toLowerCase()} /> {ruta} <Status code={estado} />
            </a>
          </li>
        ))}
      </ul>
      <p>
        <a href={`${basePath}/llamadas`}>{t('portal.try.allCalls')}</a>
      </p>
    </nav>
  )

/** The list of examples; its links are relative, so all apps share it. */
export const examplesNav = (document: Document): VNode => (
  <nav aria-labelledby="ejemplos" class="examples">
    <h2 id="ejemplos">{t('portal.try.examples')}</h2>
    <p class="hint">{t('portal.try.examplesHint')}</p>
    {document.tags.map(({ name, 'x-displayName': title }) => {
      const examples = examplesOf(document).filter(({ operation }) => operation.tags[0] === name)
      if (examples.length === 0) return null
      return (
        <details key={name}>
          <summary>{translate(title)}</summary>
          <ul>
            {examples.map(({ method, operation: { operationId, summary } }) => (
              <li key={operationId}>
                <a href={`?ejemplo=${operationId}`}>
                  <Method name={method} /> {translate(summary)}
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
function ResponseSection({ response, ctx, at }: { response: CallResponse; ctx: PortalContext; at: string }) {
  const { status, reason, ms, headers, body, bytes } = response
  const value = jsonOf(response)
  return (
    <section aria-labelledby="respuesta">
      <h2 id="respuesta">{t('portal.calls.response')}</h2>
      <p class="facts" role="status">
        <span>
          <Status code={status} /> {reason}
        </span>
        <span>{formatNumber(Math.max(1, Math.round(ms)))} ms</span>
        <span>{t('portal.try.bytes', { bytes })}</span>
      </p>
      {bytes > 0 && (
        <Code label={value === undefined && body.length < bytes ? t('portal.try.bodyStart') : t('portal.try.body')}>
          {value === undefined ? body : <FoldingJson value={value} hrefOf={(text) => tryHref(text, ctx, at)} />}
        </Code>
      )}
      <details>
        <summary>{t('portal.try.responseHeaders')}</summary>
        <Code label={t('portal.try.headers')}>{headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</Code>
      </details>
    </section>
  )
}

/** The parsed body, if it is complete and JSON. */
function jsonOf({ headers, body, bytes }: CallResponse): unknown {
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? ''
  if (!/json/.test(type) || Buffer.byteLength(body) !== bytes) return undefined
  return orUndefined(() => JSON.parse(body))
}

/** A link to an API address; one with placeholders only fills the form. */
function tryHref(text: string, ctx: PortalContext, at: string): string | undefined {
  if (!/^\/v3(\/|\?|$)/.test(text)) return undefined
  return withQuery(at, ctx.sealMails({ ruta: text, ...(text.includes('{') && { preparar: 'si' }) }))
}

const RequestSection = ({ call, publicUrl, scheme }: { call: SignedCall; publicUrl: string; scheme: string }) => (
  <section aria-labelledby="solicitud">
    <h2 id="solicitud">{t('portal.try.signed')}</h2>
    <CopyCode id="texto-a-firmar" label={t('portal.try.textToSign')} what={t('portal.try.textToSignShort')}>
      {call.text}
    </CopyCode>
    <Code label={t('portal.try.request')}>
      {[
        `${call.method} ${call.target} HTTP/1.1`,
        ...Object.entries(call.headers).map(([name, value]) => `${name}: ${value}`),
        ...(call.body === undefined ? [] : ['', call.body]),
      ].join('\n')}
    </Code>
    <CopyCode id="curl" label={t('portal.try.inTerminal')} what={t('portal.try.command')}>
      {signedCurl(curlOf(call), publicUrl, scheme)}
    </CopyCode>
  </section>
)

const curlOf = ({ method, target, body }: SignedCall) => ({
  method: method.toLowerCase() as Lowercase<typeof method>,
  target,
  ...(body !== undefined && { body }),
})
