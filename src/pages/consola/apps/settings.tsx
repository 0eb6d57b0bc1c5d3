import type { FastifyReply } from 'fastify'
import { type App, type AppLimits, LIMIT_BOUNDS } from '../../../apps/app.ts'
import type { AppAtWork } from '../../../apps/staff.ts'
import { disableApp, renameApp, setLimits, setTopics } from '../../../apps/store.ts'
import { type Errors, invalid } from '../../../http/problems.ts'
import { normalizeLine } from '../../../text.ts'
import { DESCRIPTIONS, TOPICS } from '../../../webhooks/topics.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { Field, Form, Tick } from '../../fields.tsx'
import { CONFIRMATION, formOf, formRoute, line, ticked } from '../../form.ts'
import { inFigures } from '../../format.tsx'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { CONSOLE, type ConsoleContext, type ConsolePages } from '../context.tsx'
import type { ByAppKey } from './list.tsx'
import { APPS, appAt, appHref } from './list.tsx'
import { APP_FORM, ContactField, givenIn, nameFaults } from './new.tsx'

const MOTIVO_CHARACTERS = 500 // as the store keeps it

/** What was filled in and refused, by the form it belongs to. */
export interface Refused {
  form: 'datos' | 'limites' | 'equipo'
  given: Record<string, string>
  errors: Errors
}

/** Shows the app's page again with a form that was refused. */
export type ShowRefused = (
  reply: FastifyReply,
  ctx: ConsoleContext,
  appKey: string,
  refused: Refused,
) => Promise<FastifyReply>

/** /consola/apps/{AppKey}/…: its name, topics and limits, and whether it is enabled. */
export function appSettingsRoutes(app: ConsolePages, deps: PageDeps, showRefused: ShowRefused): void {
  const { store } = deps

  app.post<ByAppKey>('/apps/:appKey/datos', APP_FORM, async (request, reply) => {
    const { ctx } = request
    const { appKey } = await appAt(deps, request.params.appKey)
    const { nombre, contacto } = givenIn(formOf(request))
    const errors = nameFaults({ nombre, contacto })
    if (Object.keys(errors).length > 0)
      return showRefused(reply, ctx, appKey, { form: 'datos', given: { Nombre: nombre, Contacto: contacto }, errors })
    await store.transaction(async (tx) => {
      await renameApp(tx, appKey, { nombre, contacto: contacto || null })
      await ctx.audit('app.datos', appKey, { nombre }, tx)
    })
    return redirectWithNotice(reply, 'app-datos', appHref({ appKey }))
  })

  app.post<ByAppKey>('/apps/:appKey/temas', formRoute(100), async (request, reply) => {
    const { ctx } = request
    const { appKey } = await appAt(deps, request.params.appKey)
    const topics = topicsIn(formOf(request))
    await store.transaction(async (tx) => {
      await setTopics(tx, appKey, topics)
      await ctx.audit('app.temas', appKey, { temas: topics ?? 'todos' }, tx)
    })
    return redirectWithNotice(reply, 'app-temas', `${appHref({ appKey })}#temas`)
  })

  app.post<ByAppKey>('/apps/:appKey/limites', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const { appKey } = await appAt(deps, request.params.appKey)
    const limits = limitsIn(formOf(request))
    if ('errors' in limits) return showRefused(reply, ctx, appKey, { form: 'limites', ...limits })
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
    load: ({ appKey }: ByAppKey['Params']) => appAt(deps, appKey),
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
    const { appKey } = await appAt(deps, request.params.appKey)
    await setDisabled(request.ctx, appKey, false, formOf(request))
    return redirectWithNotice(reply, 'app-habilitada', appHref({ appKey }))
  })
}

/** What apps may ask where nothing else was said. */
export type Everyone = { [Name in keyof AppLimits]: number }

/** The fields. */
const FIELDS: Record<keyof AppLimits, { name: string; label: string; unit: string }> = {
  ratePerSecond: { name: 'PorSegundo', label: 'Solicitudes por segundo', unit: 'por segundo' },
  rateBurst: { name: 'Rafaga', label: 'Ráfaga', unit: 'de una vez' },
  invitesPerDay: { name: 'Invitaciones', label: 'Invitaciones por día', unit: 'en 24 horas' },
}
const NAMES = Object.keys(FIELDS) as (keyof AppLimits)[]

/** What the app may ask; what is left empty is as for everyone. */
export const Limits = ({ app, everyone, refused }: { app: App; everyone: Everyone; refused: Refused | undefined }) => (
  <section id="limites">
    <h2>Límites</h2>
    <Form action={`${appHref(app)}/limites`} errors={refused?.errors} button="Guardar los límites">
      <p class="hint">Vacío: como todas las apps. Los cambios rigen en todas partes en un segundo.</p>
      <div class="fields-beside">
        {NAMES.map((key) => {
          const { name, label, unit } = FIELDS[key]
          return (
            <Field
              key={key}
              name={name}
              label={label}
              hint={`Todas: ${inFigures(everyone[key])} ${unit}.`}
              value={refused?.given[name] ?? app.limits[key]?.toString()}
              errors={refused?.errors}
              more={{ inputmode: 'numeric', autocomplete: 'off', maxlength: 9, required: false }}
            />
          )
        })}
      </div>
    </Form>
  </section>
)

/** The limits that a form says, or what is wrong with it. */
function limitsIn(form: URLSearchParams): AppLimits | { given: Record<string, string>; errors: Errors } {
  const given = Object.fromEntries(NAMES.map((key) => [FIELDS[key].name, line(form, FIELDS[key].name)]))
  const errors: Errors = {}
  const limits = {} as AppLimits
  for (const key of NAMES) {
    const { name } = FIELDS[key]
    const { least, most } = LIMIT_BOUNDS[key]
    const text = (given[name] ?? '').replaceAll('.', '')
    limits[key] = text === '' ? null : Number(text)
    if (text !== '' && (!/^\d{1,7}$/.test(text) || Number(text) < least || Number(text) > most))
      errors[name] = [`Debe ser un número entre ${inFigures(least)} y ${inFigures(most)}, o quedar vacío.`]
  }
  return Object.keys(errors).length > 0 ? { given, errors } : limits
}

const ALL = 'todos'

/** The topics that the app may use. */
export const Topics = ({ app }: { app: App }) => (
  <section id="temas">
    <h2>Topics</h2>
    <p>
      {app.topics === null
        ? 'Puede usar todos, también los que vengan.'
        : `Puede usar ${app.topics.length} de ${TOPICS.length}.`}{' '}
      Lo que no puede usar no se le entrega, aunque tenga un webhook.
    </p>
    <details>
      <summary>Cambiar los topics</summary>
      <form method="post" action={`${appHref(app)}/temas`}>
        <Tick
          name={ALL}
          label="Todos"
          hint="También los que se agreguen más adelante. Lo que se marque abajo no cuenta."
          checked={app.topics === null}
        />
        {TOPICS.map((topic) => (
          <Tick
            key={topic}
            name={topic}
            label={topic}
            hint={DESCRIPTIONS[topic]}
            checked={app.topics?.includes(topic) ?? false}
          />
        ))}
        <button type="submit">Guardar los topics</button>
      </form>
    </details>
  </section>
)

/** The topics that a form says; null: all of them. */
const topicsIn = (form: URLSearchParams): string[] | null =>
  ticked(form, ALL) ? null : TOPICS.filter((topic) => ticked(form, topic))

/** The name of the app and whom to write to. */
export const AppData = ({ app, refused }: { app: AppAtWork; refused: Refused | undefined }) => (
  <section id="datos">
    <h2>Datos</h2>
    <Form action={`${appHref(app)}/datos`} errors={refused?.errors} button="Guardar los datos">
      <Field
        name="Nombre"
        label="Nombre"
        value={refused?.given.Nombre ?? app.nombre}
        errors={refused?.errors}
        more={{ maxlength: 120 }}
      />
      <ContactField value={refused?.given.Contacto ?? app.contacto} errors={refused?.errors} />
    </Form>
  </section>
)
