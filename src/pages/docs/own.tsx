import type { FastifyReply, FastifyRequest } from 'fastify'
import { renderToString } from 'preact-render-to-string'
import { membershipsOf } from '../../accounts/members.ts'
import type { App } from '../../apps/app.ts'
import { findApp } from '../../apps/store.ts'
import { rich, t } from '../../i18n/messages.tsx'
import { type ChosenAgencia, someAgencias } from '../../resources/agencias/read.ts'
import { Hidden, Options } from '../fields.tsx'
import { appChoices } from '../labels.tsx'
import type { RenderedOnce } from '../page.ts'
import { type Query, textParam } from '../params.ts'
import { addressLocale } from '../public-href.ts'
import type { PageDeps } from '../signed-in.ts'

/** What the samples show to a developer who is signed in. */
interface OwnSamples {
  apps: readonly App[]
  app: App
  agencias: readonly ChosenAgencia[]
  /** Undefined while the app has none. */
  agencia: ChosenAgencia | undefined
}

export type OwnDeps = Pick<PageDeps, 'store'>

/** As many as fit a menu. */
const MAX_CHOICES = 50
/** Mails that need no quoting in a URL, a shell, JSON or HTML. */
const PLAIN_MAIL = /^[\w.-]+@[\w.-]+$/
/** The agencies of the contract's examples, of made-up values, and of the guide's programs. */
const SAMPLE_MAILS = ['ana@agencia.example', 'ventas@agencia.example', 'ana@automotores.example']

const COOKIE = 'ejemplos'
const A_YEAR_SECONDS = 31_536_000

/**
 * The app and agency of the reader's choice, which is stored in a cookie, else the first of each; undefined for anybody who is
 * not signed in as a developer. The documentation stays readable while the database is not.
 */
export async function ownSamples(
  deps: OwnDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<OwnSamples | undefined> {
  const found = await findOwn(deps, request).catch((err) => {
    request.log.warn({ err }, 'docs: samples without the own app')
    return undefined
  })
  const query = request.query as Query
  if (found && query.app !== undefined)
    reply.server.cookies.set(reply, COOKIE, choiceOf(found.app.appKey, found.agencia?.id), A_YEAR_SECONDS)
  return found
}

async function findOwn({ store }: OwnDeps, request: FastifyRequest): Promise<OwnSamples | undefined> {
  const account = request.reader
  if (!account?.develops) return undefined
  const memberships = (await membershipsOf(store, account.id)).slice(0, MAX_CHOICES)
  const apps = (await Promise.all(memberships.map(({ appKey }) => findApp(store, appKey)))).filter((app) => !!app)
  const query = request.query as Query
  const [stored = ''] = request.server.cookies.values(request, COOKIE)
  const [appKey, id] = (choiceFrom(query) ?? stored).split('.')
  const app = apps.find((each) => each.appKey === appKey) ?? apps[0]
  if (!app) return undefined
  const agencias = (await someAgencias(store, app, MAX_CHOICES)).filter(({ adminMail }) => PLAIN_MAIL.test(adminMail))
  return { apps, app, agencias, agencia: agencias.find((each) => String(each.id) === id) ?? agencias[0] }
}

const choiceOf = (appKey: string, agenciaId: number | string | undefined) => `${appKey}.${agenciaId ?? ''}`

function choiceFrom(query: Query): string | undefined {
  const appKey = textParam(query, 'app')
  return appKey === undefined ? undefined : choiceOf(appKey, textParam(query, 'agencia'))
}

/** A page whose samples name the app and agency of a signed-in reader who has some, instead of invented ones. */
export function withOwnSamples(content: RenderedOnce, own: OwnSamples | undefined): RenderedOnce {
  const fill = (html: string) => (own ? fillSamples(html, own) : html.replace(renderToString(<SignInHint />), ''))
  return { renderFor: (...as) => Buffer.from(fill(content.renderFor(...as).toString())) }
}

function fillSamples(html: string, own: OwnSamples): string {
  const { appKey } = own.app
  const mail = own.agencia?.adminMail
  const filled = html
    .replace(renderToString(<SignInHint />), () => renderToString(<Choice {...own} />))
    .replaceAll('APP_KEY=…', `APP_KEY=${appKey}`)
    .replaceAll(' $APP_KEY:$FIRMA', ` ${appKey}:$FIRMA`)
    .replaceAll('$APP_KEY:$APP_SECRET', `${appKey}:$APP_SECRET`)
  if (!mail) return filled
  return SAMPLE_MAILS.reduce(
    (text, sample) =>
      text.replaceAll(sample, () => mail).replaceAll(encodeURIComponent(sample), () => encodeURIComponent(mail)),
    filled,
  )
}

/** Below the heading of a page whose samples are still those of everybody. */
export const SignInHint = () => (
  <p class="own-samples">
    <span>{rich('docs.own.signIn', { link: (text) => <a href="/entrar">{text}</a> })}</span>
  </p>
)

const Choice = ({ apps, app, agencias, agencia }: OwnSamples) => (
  <form class="own-samples">
    <Hidden values={{ idioma: addressLocale() }} />
    <Choices name="app" label={t('docs.own.app')} options={appChoices(apps)} chosen={app.appKey} />
    {agencias.length > 0 && (
      <Choices
        name="agencia"
        label={t('docs.own.agency')}
        options={agencias.map(({ id, nombre }) => [String(id), nombre])}
        chosen={String(agencia?.id)}
      />
    )}
    <button type="submit" class="secondary">
      {t('docs.own.use')}
    </button>
  </form>
)

interface ChoicesProps {
  name: string
  label: string
  options: readonly (readonly [value: string, label: string])[]
  chosen: string
}

const Choices = ({ name, label, options, chosen }: ChoicesProps) => (
  <div>
    <label for={`ejemplos-${name}`}>{label}</label>
    <select id={`ejemplos-${name}`} name={name}>
      <Options choices={options} value={chosen} />
    </select>
  </div>
)
