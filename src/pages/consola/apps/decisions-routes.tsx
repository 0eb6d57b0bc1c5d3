import { disableApp, renameApp, setLimits, setTopics } from '../../../apps/store.ts'
import { invalid } from '../../../http/problems.ts'
import { normalizeLine } from '../../../text.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { Field } from '../../fields.tsx'
import { CONFIRMATION, formOf, formRoute } from '../../form.ts'
import { page } from '../../page.ts'
import { allowScript } from '../../security.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { CONSOLE, type ConsoleContext, type ConsolePages } from '../context.tsx'
import { type ByAppKey, openApps } from './access.ts'
import { APP_FORM, givenIn, nameFaults } from './given.ts'
import { limitsIn } from './limits.tsx'
import { APPS, appHref } from './list.tsx'
import { appPage } from './one-page.tsx'
import { topicsIn } from './topics.tsx'

const MOTIVO_CHARACTERS = 500 // as the store keeps it

/** /consola/apps/{AppKey}/…: its name, topics and limits, and whether it is enabled. */
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
    return redirectWithNotice(reply, 'app-datos', appHref({ appKey }))
  })

  app.post<ByAppKey>('/apps/:appKey/temas', formRoute(100), async (request, reply) => {
    const { ctx } = request
    const { appKey } = await apps.find(request.params.appKey)
    const topics = topicsIn(formOf(request))
    await store.transaction(async (tx) => {
      await setTopics(tx, appKey, topics)
      await ctx.audit('app.temas', appKey, { temas: topics ?? 'todos' }, tx)
    })
    return redirectWithNotice(reply, 'app-temas', `${appHref({ appKey })}#temas`)
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
    return redirectWithNotice(reply, 'app-limites', `${appHref({ appKey })}#limites`)
  })

  async function setDisabled(ctx: ConsoleContext, appKey: string, disabled: boolean, form: URLSearchParams) {
    const motivo = normalizeLine(form.get('Motivo') ?? '')
    if (motivo.length > MOTIVO_CHARACTERS)
      throw invalid({ _: [`El motivo puede tener hasta ${MOTIVO_CHARACTERS} caracteres.`] })
    await store.transaction(async (tx) => {
      await disableApp(tx, appKey, disabled, motivo || null)
      await ctx.audit(disabled ? 'app.deshabilitar' : 'app.habilitar', appKey, motivo ? { motivo } : undefined, tx)
    })
  }

  serveConfirmation(app, '/apps/:appKey/deshabilitar', {
    audience: CONSOLE,
    section: APPS,
    form: formRoute(MOTIVO_CHARACTERS),
    load: ({ appKey }: ByAppKey['Params']) => apps.find(appKey),
    above: (found) => ({ href: appHref(found), label: found.nombre }),
    question: ({ nombre }) => ({
      title: `¿Deshabilitar ${nombre}?`,
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
      consequences: (
        <ul>
          <li>En un segundo se rechaza todo lo que pida, como a una app desconocida.</li>
          <li>Sus webhooks no reciben nada; lo que pase mientras tanto queda para reenviar.</li>
          <li>Sus agencias, avisos y consultas quedan como están. Se puede habilitar otra vez cuando quiera.</li>
        </ul>
      ),
    }),
    act: ({ appKey }, ctx, form) => setDisabled(ctx, appKey, true, form),
    notice: 'app-deshabilitada',
  })

  app.post<ByAppKey>('/apps/:appKey/habilitar', formRoute(MOTIVO_CHARACTERS), async (request, reply) => {
    const { appKey } = await apps.find(request.params.appKey)
    await setDisabled(request.ctx, appKey, false, formOf(request))
    return redirectWithNotice(reply, 'app-habilitada', appHref({ appKey }))
  })
}
