import type { FastifyInstance, FastifyReply } from 'fastify'
import { CALL_LOG_DAYS, type Call, findCall, listCalls } from '../../../apps/call-log.ts'
import { deleteSavedCall, listSavedCalls, MAX_SAVED_CALLS, saveCall } from '../../../apps/saved-calls.ts'
import { liveSecrets } from '../../../apps/secrets.ts'
import { signatureNames } from '../../../auth/signature.ts'
import { withQuery } from '../../../http/links.ts'
import { documentOf } from '../../../http/openapi.ts'
import { notFound } from '../../../http/problems.ts'
import { t } from '../../../i18n/messages.tsx'
import { agencyProgress } from '../../../resources/agencias/figures.ts'
import { someAgencias } from '../../../resources/agencias/read.ts'
import { CONFIRMATION_FORM } from '../../form.ts'
import { HIDDEN, page } from '../../page.ts'
import { type ById, type PageDeps, redirectWithNotice, seeOther } from '../../signed-in.ts'
import type { PortalContext, PortalPages } from '../context.tsx'
import {
  type CallParams,
  callTarget,
  exampleParams,
  maskErrors,
  parseParams,
  sendCall,
  signedCall,
  targetOf,
  withAgency,
} from './call.ts'
import { examplesNav, MAX_NAME_LENGTH, type TryProps, tryPage } from './page.tsx'

const MAX_TRY_BYTES = 65_536 // the body is typed or pasted by hand
const MAX_AGENCIES = 200
/** Of so many latest calls from the portal, each different one is listed. */
const HISTORY = 20

/** /portal/{AppKey}/probar: sends an API call that the portal signs. A GET is in the query string, so it can be shared. */
export function tryRoutes(app: PortalPages, deps: PageDeps, api: FastifyInstance): void {
  const { store, seal, config, nowMs, calls } = deps
  const { scheme } = signatureNames(config.signaturePrefix)
  const examples = () => examplesNav(documentOf(api))

  async function show(
    reply: FastifyReply,
    ctx: PortalContext,
    params: CallParams,
    more: Pick<TryProps, 'errors' | 'tried'> = {},
  ): Promise<FastifyReply> {
    await calls.flush()
    const [agencies, saved, { rows: history }] = await Promise.all([
      someAgencias(store, ctx.app, MAX_AGENCIES),
      listSavedCalls(store, ctx.app.id),
      listCalls(store, ctx.app.id, { portal: true }, { limit: HISTORY }, ctx.now),
    ])
    const side = { agencies, saved, history: distinct(history), examples: examples() }
    const content = tryPage({ ctx, params, ...side, publicUrl: config.publicUrl, scheme, ...more })
    return page(reply, content, more.errors ? 400 : 200)
  }

  /** The form filled with a call of the log; its body has the types of its values, to be replaced. */
  async function fromLog(reply: FastifyReply, ctx: PortalContext, id: string): Promise<FastifyReply> {
    const call = await findCall(store, ctx.app.id, id, ctx.now)
    if (!call) throw notFound(t('portal.calls.gone', { days: CALL_LOG_DAYS }))
    const params = new URLSearchParams({ metodo: call.metodo, ruta: callTarget(call), cuerpo: indented(call.cuerpo) })
    return show(reply, ctx, parseParams(params))
  }

  async function save(
    reply: FastifyReply,
    ctx: PortalContext,
    params: CallParams,
    nombre: string,
  ): Promise<FastifyReply> {
    const refuse = (text: string) => show(reply, ctx, params, { errors: { nombre: [text] } })
    if (nombre === '') return refuse(t('portal.try.nameNeeded'))
    if (nombre.length > MAX_NAME_LENGTH) return refuse(t('portal.try.nameLong', { most: MAX_NAME_LENGTH }))
    const { errors } = targetOf(params, config.publicUrl)
    if (errors) return show(reply, ctx, params, { errors })
    if (!(await saveCall(store, ctx.app.id, { nombre, ...params })))
      return refuse(t('portal.try.tooManySaved', { most: MAX_SAVED_CALLS }))
    return redirectWithNotice(reply, 'llamada-guardada', `${ctx.basePath}/probar`)
  }

  /** Audited before the call, because the response may hold personal data. */
  async function run(reply: FastifyReply, ctx: PortalContext, params: CallParams): Promise<FastifyReply> {
    const checked = targetOf(withAgency(params), config.publicUrl)
    if (checked.errors) return show(reply, ctx, params, { errors: checked.errors })
    const masked = maskErrors(withAgency(params))
    if (masked) return show(reply, ctx, params, { errors: masked })
    const [newest] = await liveSecrets(store, seal, ctx.app.id)
    if (ctx.app.disabled || !newest)
      return show(reply, ctx, params, { errors: { _: [t(newest ? 'portal.try.disabled' : 'portal.try.noSecret')] } })
    const { appKey } = ctx.app
    const signer = { appKey, secret: newest.secret, prefix: config.signaturePrefix }
    const call = signedCall(params, checked.target, signer, ctx.now)
    await ctx.audit('api.probar', appKey, { metodo: call.method, ruta: call.target.split('?', 1)[0] })
    return show(reply, ctx, params, { tried: { call, response: await sendCall(api, call, nowMs) } })
  }

  app.get('/probar', async (request, reply) => {
    const { ctx } = request
    const { searchParams } = new URL(request.originalUrl, config.publicUrl)
    const query = new URLSearchParams(ctx.openMails(Object.fromEntries(searchParams)))
    const ejemplo = query.get('ejemplo')
    if (ejemplo !== null) {
      const { example } = await agencyProgress(store, ctx.app)
      return show(reply, ctx, exampleParams(documentOf(api), ejemplo, example?.adminMail))
    }
    const llamada = query.get('llamada')
    const guardada = query.get('guardada')
    if (llamada !== null) return fromLog(reply, ctx, llamada)
    if (guardada !== null) {
      const saved = (await listSavedCalls(store, ctx.app.id)).find(({ id }) => String(id) === guardada)
      if (!saved) throw notFound(t('portal.try.noSaved'))
      const { metodo, ruta, cuerpo, accept, etag } = saved
      return show(reply, ctx, parseParams(new URLSearchParams({ metodo, ruta, cuerpo, accept, etag })))
    }
    const params: CallParams = { ...parseParams(query), metodo: 'GET', cuerpo: '' }
    const only = params.ruta === '' || query.has('preparar') || isFromAnotherSite(request.headers['sec-fetch-site'])
    return only ? show(reply, ctx, params) : run(reply, ctx, params)
  })

  app.post('/probar', { ...HIDDEN, bodyLimit: MAX_TRY_BYTES }, async ({ ctx, form }, reply) => {
    const given = parseParams(form)
    if (form.get('accion') === 'guardar') return save(reply, ctx, given, (form.get('nombre') ?? '').trim())
    const params = withAgency(given)
    if (params.metodo !== 'GET' || targetOf(params, config.publicUrl).errors) return run(reply, ctx, params)
    const { ruta, accept, etag } = params
    return seeOther(
      reply,
      withQuery(`${ctx.basePath}/probar`, ctx.sealMails({ ruta, ...(accept && { accept }), ...(etag && { etag }) })),
    )
  })

  app.post<ById>('/probar/guardadas/:id/quitar', CONFIRMATION_FORM, async ({ ctx, params }, reply) => {
    if (/^\d{1,9}$/.test(params.id)) await deleteSavedCall(store, ctx.app.id, Number(params.id))
    return redirectWithNotice(reply, 'llamada-quitada', `${ctx.basePath}/probar`)
  })
}

function indented(json: string | null): string {
  try {
    return json === null ? '' : JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json ?? '' // it was too long to be kept whole
  }
}

/** A link from another site only fills the form; the person sends it. */
const isFromAnotherSite = (site: unknown): boolean => site !== undefined && site !== 'same-origin' && site !== 'none'

const nameOf = (call: Call): string => `${call.metodo} ${callTarget(call)}`

/** The newest of equal calls. */
const distinct = (calls: readonly Call[]): Call[] =>
  calls.filter((call, at) => calls.findIndex((each) => nameOf(each) === nameOf(call)) === at)
