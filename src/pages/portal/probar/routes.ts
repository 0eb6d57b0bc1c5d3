import type { FastifyReply } from 'fastify'
import type { VNode } from 'preact'
import { liveSecrets } from '../../../apps/secrets.ts'
import { signatureNames } from '../../../auth/signature.ts'
import { withQuery } from '../../../http/links.ts'
import type { Document } from '../../../http/openapi/document.ts'
import { documentOf } from '../../../http/openapi.ts'
import type { Errors } from '../../../http/problems.ts'
import { reachOf } from '../../../resources/agencias/figures.ts'
import { formOf } from '../../form.ts'
import { HIDDEN, page } from '../../page.ts'
import { allowScript } from '../../security.ts'
import { type PageDeps, seeOther } from '../../signed-in.ts'
import type { PortalContext, PortalPages } from '../context.tsx'
import {
  type CallParams,
  EMPTY_PARAMS,
  exampleParams,
  examplesOf,
  parseParams,
  sendCall,
  signedCall,
  targetOf,
} from './call.ts'
import { examplesNav, tryPage } from './page.tsx'

const MAX_TRY_BYTES = 65_536 // the body is typed or pasted by hand
const NO_SECRET = 'La app no tiene ninguna clave vigente. Haga una en Claves.'
const DISABLED = 'La app está deshabilitada: la API no la atiende.'

/** /portal/{AppKey}/probar: sends an API call that the portal signs. A GET is in the query string, so it can be shared. */
export function tryRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, seal, config, nowMs } = deps
  const { scheme } = signatureNames(config.signaturePrefix)
  let known: { document: Document; examples: VNode } | undefined
  const reference = () => {
    if (!known) {
      const document = documentOf(app)
      known = { document, examples: examplesNav(examplesOf(document)) }
    }
    return known
  }

  function show(
    reply: FastifyReply,
    ctx: PortalContext,
    params: CallParams,
    more: { errors?: Errors; tried?: Parameters<typeof tryPage>[0]['tried'] } = {},
  ): FastifyReply {
    const { examples } = reference()
    const content = tryPage({ ctx, params, examples, publicUrl: config.publicUrl, scheme, ...more })
    return page(allowScript(reply), content, more.errors ? 400 : 200)
  }

  /** Audited before the call, because the response may hold personal data. */
  async function run(reply: FastifyReply, ctx: PortalContext, params: CallParams): Promise<FastifyReply> {
    const checked = targetOf(params, config.publicUrl)
    if ('errors' in checked) return show(reply, ctx, params, { errors: checked.errors })
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
      const { example } = await reachOf(store, ctx.app)
      return show(reply, ctx, exampleParams(reference().document, ejemplo, example?.adminMail) ?? EMPTY_PARAMS)
    }
    const params: CallParams = { ...parseParams(query), metodo: 'GET', cuerpo: '' }
    const only = params.ruta === '' || query.has('preparar') || isFromAnotherSite(request.headers['sec-fetch-site'])
    return only ? show(reply, ctx, params) : run(reply, ctx, params)
  })

  app.post('/probar', { ...HIDDEN, bodyLimit: MAX_TRY_BYTES }, async (request, reply) => {
    const { ctx } = request
    const params = parseParams(formOf(request))
    if (params.metodo !== 'GET' || 'errors' in targetOf(params, config.publicUrl)) return run(reply, ctx, params)
    const { ruta, accept, etag } = params
    return seeOther(
      reply,
      withQuery(`${ctx.basePath}/probar`, { ruta, ...(accept && { accept }), ...(etag && { etag }) }),
    )
  })
}

/** A link from another site only fills the form; the person sends it. */
const isFromAnotherSite = (site: unknown): boolean => site !== undefined && site !== 'same-origin' && site !== 'none'
