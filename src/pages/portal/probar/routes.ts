import type { FastifyReply } from 'fastify'
import type { VNode } from 'preact'
import { liveSecrets } from '../../../apps/secrets.ts'
import { signatureNames } from '../../../auth/signature.ts'
import { withQuery } from '../../../http/links.ts'
import { written } from '../../../http/markup.ts'
import type { Document } from '../../../http/openapi/document.ts'
import { documentOf } from '../../../http/openapi.ts'
import type { Errors } from '../../../http/problems.ts'
import { reachOf } from '../../../resources/agencias/reach.ts'
import { formOf } from '../../form.ts'
import { page } from '../../page.ts'
import { allowScript } from '../../security.ts'
import { HIDDEN, type PageDeps, seeOther } from '../../signed-in.ts'
import type { ByApp } from '../access.ts'
import type { PortalContext, PortalPages } from '../context.tsx'
import { perform, signedCall } from './call.ts'
import { examplesOf, filled } from './examples.ts'
import { examplesNav, tryPage } from './page.tsx'
import { type Asked, NOTHING, parseParams, targetOf } from './params.ts'

const MAX_TRY_BYTES = 65_536 // a body to try is typed or pasted by hand
const NO_SECRET = 'La app no tiene ninguna clave vigente. Haga una en Claves.'
const DISABLED = 'La app está deshabilitada: la API no la atiende.'

/** /portal/{AppKey}/probar: a call that the portal signs. What only reads is an address of its own, to go back to or to send. */
export function tryRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, seal, config, nowMs } = deps
  const { scheme } = signatureNames(config.signaturePrefix)
  let known: { document: Document; examples: VNode } | undefined
  const reference = () => {
    if (!known) {
      const document = documentOf(app)
      known = { document, examples: written(examplesNav(examplesOf(document))) }
    }
    return known
  }

  function show(
    reply: FastifyReply,
    ctx: PortalContext,
    asked: Asked,
    more: { errors?: Errors; tried?: Parameters<typeof tryPage>[0]['tried'] } = {},
  ): FastifyReply {
    const { examples } = reference()
    const content = tryPage({ ctx, asked, examples, publicUrl: config.publicUrl, scheme, ...more })
    return page(allowScript(reply), content, more.errors ? 400 : 200)
  }

  /** Noted before it is made: what comes back may be about a person. */
  async function run(reply: FastifyReply, ctx: PortalContext, asked: Asked): Promise<FastifyReply> {
    const checked = targetOf(asked, config.publicUrl)
    if ('errors' in checked) return show(reply, ctx, asked, { errors: checked.errors })
    const [newest] = await liveSecrets(store, seal, ctx.app.id)
    if (ctx.app.disabled || !newest) return show(reply, ctx, asked, { errors: { _: [newest ? DISABLED : NO_SECRET] } })
    const { appKey } = ctx.app
    const signer = { appKey, secret: newest.secret, prefix: config.signaturePrefix }
    const call = signedCall(asked, checked.target, signer, ctx.now)
    await ctx.audit('api.probar', appKey, { metodo: call.method, ruta: call.target.split('?', 1)[0] })
    return show(reply, ctx, asked, { tried: { call, answer: await perform(app, call, nowMs) } })
  }

  app.get<ByApp>('/probar', async (request, reply) => {
    const { ctx } = request
    const query = new URL(request.originalUrl, config.publicUrl).searchParams
    const ejemplo = query.get('ejemplo')
    if (ejemplo !== null) {
      const { example } = await reachOf(store, ctx.app)
      return show(reply, ctx, filled(reference().document, ejemplo, example?.adminMail) ?? NOTHING)
    }
    const asked: Asked = { ...parseParams(query), metodo: 'GET', cuerpo: '' }
    const only = asked.ruta === '' || query.has('preparar') || ledByAnother(request.headers['sec-fetch-site'])
    return only ? show(reply, ctx, asked) : run(reply, ctx, asked)
  })

  app.post<ByApp>('/probar', { ...HIDDEN, bodyLimit: MAX_TRY_BYTES }, async (request, reply) => {
    const { ctx } = request
    const asked = parseParams(formOf(request))
    if (asked.metodo !== 'GET' || 'errors' in targetOf(asked, config.publicUrl)) return run(reply, ctx, asked)
    const { ruta, accept, etag } = asked
    return seeOther(reply, withQuery(`${ctx.at}/probar`, { ruta, ...(accept && { accept }), ...(etag && { etag }) }))
  })
}

/** Another site made the link: what it asks for is written into the form, and sent by whoever reads it. */
const ledByAnother = (site: unknown): boolean => site !== undefined && site !== 'same-origin' && site !== 'none'
