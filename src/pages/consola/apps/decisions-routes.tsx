import { disableApp, renameApp, setLimits, setTopics } from '../../../apps/store.ts'
import { invalid } from '../../../http/problems.ts'
import { normalizeLine } from '../../../text.ts'
import { Field } from '../../fields.tsx'
import { CONFIRMATION, formOf, formRoute } from '../../form.ts'
import { page } from '../../page.ts'
import { allowScript } from '../../security.ts'
import { done, type PageDeps } from '../../signed-in.ts'
import { confirmPage } from '../confirm.tsx'
import type { ConsolePages } from '../context.tsx'
import { type ByAppKey, openApps } from './access.ts'
import { APP_FORM, givenIn, nameFaults } from './given.ts'
import { limitsIn } from './limits.tsx'
import { appPage } from './one-page.tsx'
import { APPS, appHref } from './parts.tsx'
import { topicsIn } from './topics.tsx'

const MOTIVO_CHARACTERS = 500 // as the store keeps it

/** /consola/apps/{AppKey}/…: how it is called, what it may ask and be told of, whether it is let in at all. */
export function appDecisionsRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store } = deps
  const apps = openApps(deps)

  app.post<ByAppKey>('/apps/:appKey/datos', APP_FORM, async (request, reply) => {
    const { ctx } = request
    const { appKey } = await apps.find(request.params.appKey)
    const { nombre, contacto } = givenIn(formOf(request))
    const errors = nameFaults({ nombre, contacto })
    if (Object.keys(errors).length > 0) {
      const refused = { form: 'datos' as const, given: { Nombre: nombre, Contacto: contacto }, errors }
      return page(allowScript(reply), appPage({ ctx, ...(await apps.view(appKey)), refused }), 400)
    }
    await store.transaction(async (tx) => {
      await renameApp(tx, appKey, { nombre, contacto: contacto || null })
      await ctx.audit('app.datos', appKey, { nombre }, tx)
    })
    return done(reply, 'app-datos', appHref({ appKey }))
  })

  app.post<ByAppKey>('/apps/:appKey/temas', formRoute(100), async (request, reply) => {
    const { ctx } = request
    const { appKey } = await apps.find(request.params.appKey)
    const topics = topicsIn(formOf(request))
    await store.transaction(async (tx) => {
      await setTopics(tx, appKey, topics)
      await ctx.audit('app.temas', appKey, { temas: topics ?? 'todos' }, tx)
    })
    return done(reply, 'app-temas', `${appHref({ appKey })}#temas`)
  })

  app.post<ByAppKey>('/apps/:appKey/limites', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const { appKey } = await apps.find(request.params.appKey)
    const limits = limitsIn(formOf(request))
    if ('errors' in limits) {
      const refused = { form: 'limites' as const, ...limits }
      return page(allowScript(reply), appPage({ ctx, ...(await apps.view(appKey)), refused }), 400)
    }
    await store.transaction(async (tx) => {
      await setLimits(tx, appKey, limits)
      await ctx.audit('app.limites', appKey, { ...limits }, tx)
    })
    return done(reply, 'app-limites', `${appHref({ appKey })}#limites`)
  })

  app.get<ByAppKey>('/apps/:appKey/deshabilitar', async (request, reply) => {
    const { ctx } = request
    const found = await apps.find(request.params.appKey)
    return page(
      reply,
      confirmPage({
        ctx,
        current: APPS,
        above: { href: appHref(found), label: found.nombre },
        title: `¿Deshabilitar ${found.nombre}?`,
        action: `${appHref(found)}/deshabilitar`,
        button: 'Sí, deshabilitar',
        fields: (
          <Field
            name="Motivo"
            label="Motivo"
            hint="Lo leen las personas de la app en su portal, con la fecha."
            value=""
            optional
            more={{ maxlength: MOTIVO_CHARACTERS }}
          />
        ),
        children: (
          <ul>
            <li>En un segundo se rechaza todo lo que pida, como a una app desconocida.</li>
            <li>Sus webhooks no reciben nada; lo que pase mientras tanto queda para reenviar.</li>
            <li>Sus agencias, avisos y consultas quedan como están. Se puede habilitar otra vez cuando quiera.</li>
          </ul>
        ),
      }),
    )
  })

  for (const [path, disabled, notice] of [
    ['deshabilitar', true, 'app-deshabilitada'],
    ['habilitar', false, 'app-habilitada'],
  ] as const)
    app.post<ByAppKey>(`/apps/:appKey/${path}`, formRoute(MOTIVO_CHARACTERS), async (request, reply) => {
      const { ctx } = request
      const { appKey } = await apps.find(request.params.appKey)
      const motivo = normalizeLine(formOf(request).get('Motivo') ?? '')
      if (motivo.length > MOTIVO_CHARACTERS)
        throw invalid({ _: [`El motivo puede tener hasta ${MOTIVO_CHARACTERS} caracteres.`] })
      await store.transaction(async (tx) => {
        await disableApp(tx, appKey, disabled, motivo || null)
        await ctx.audit(`app.${path}`, appKey, motivo ? { motivo } : undefined, tx)
      })
      return done(reply, notice, appHref({ appKey }))
    })
}
