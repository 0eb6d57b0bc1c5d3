import type { FastifyReply } from 'fastify'
import { type App, type AppLimits, LIMIT_BOUNDS } from '../../../apps/app.ts'
import { type AppAtWork, disableApp, renameApp, setLimits, setTopics } from '../../../apps/store.ts'
import { invalid } from '../../../http/problems.ts'
import { normalizeLine } from '../../../text.ts'
import { DESCRIPTIONS, TOPICS } from '../../../webhooks/topics.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { Form, Tick } from '../../fields.tsx'
import { CONFIRMATION, formOf, formRoute, ticked } from '../../form.ts'
import { Fields, type FormField, type FormFields, type Refused, readFields } from '../../form-fields.tsx'
import { inFigures } from '../../format.tsx'
import { Section } from '../../parts.tsx'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { CONSOLE, type ConsoleContext, type ConsolePages } from '../context.tsx'
import { APP_FORM, DATA_FIELDS } from './keys.tsx'
import { APPS, appAt, appHref, type ByAppKey } from './list.tsx'

const MOTIVO_CHARACTERS = 500 // as the store keeps it
const MOTIVO: FormFields = {
  Motivo: {
    label: 'Motivo',
    hint: 'Lo leen las personas de la app en su portal, con la fecha.',
    optional: true,
    max: MOTIVO_CHARACTERS,
  },
}

/** A form of the app's page that was refused. */
export type RefusedForm = Refused & { form: 'datos' | 'limites' | 'equipo' }

/** Shows the app's page again with a form that was refused. */
export type ShowRefused = (
  reply: FastifyReply,
  ctx: ConsoleContext,
  appKey: string,
  refused: RefusedForm,
) => Promise<FastifyReply>

/** /consola/apps/{AppKey}/…: its name, topics and limits, and whether it is enabled. */
export function appSettingsRoutes(app: ConsolePages, deps: PageDeps, showRefused: ShowRefused): void {
  const { store } = deps

  app.post<ByAppKey>('/apps/:appKey/datos', APP_FORM, async (request, reply) => {
    const { ctx } = request
    const { appKey } = await appAt(deps, request.params.appKey)
    const { given, errors } = readFields(DATA_FIELDS, formOf(request))
    if (errors) return showRefused(reply, ctx, appKey, { form: 'datos', given, errors })
    const { Nombre: nombre, Contacto: contacto } = given
    await store.transaction(async (tx) => {
      await renameApp(tx, appKey, { nombre, contacto: contacto || null })
      await ctx.audit('app.datos', appKey, { nombre }, tx)
    })
    return redirectWithNotice(reply, 'app-datos', appHref({ appKey }))
  })

  app.post<ByAppKey>('/apps/:appKey/temas', formRoute(100), async (request, reply) => {
    const { appKey } = await appAt(deps, request.params.appKey)
    const topics = topicsIn(formOf(request))
    await store.transaction(async (tx) => {
      await setTopics(tx, appKey, topics)
      await request.ctx.audit('app.temas', appKey, { temas: topics ?? 'todos' }, tx)
    })
    return redirectWithNotice(reply, 'app-temas', `${appHref({ appKey })}#temas`)
  })

  app.post<ByAppKey>('/apps/:appKey/limites', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const { appKey } = await appAt(deps, request.params.appKey)
    const { given, errors } = readFields(limitFields(deps.config), formOf(request))
    if (errors) return showRefused(reply, ctx, appKey, { form: 'limites', given, errors })
    const limits = limitsOf(given)
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
      fields: <Fields fields={MOTIVO} />,
      consequences: [
        'En un segundo se rechaza todo lo que pida, como a una app desconocida.',
        'Sus webhooks no reciben nada; lo que pase mientras tanto queda para reenviar.',
        'Sus agencias, avisos y consultas quedan como están. Se puede habilitar otra vez cuando quiera.',
      ],
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

const LIMITS: [name: string, key: keyof AppLimits, label: string, unit: string][] = [
  ['PorSegundo', 'ratePerSecond', 'Solicitudes por segundo', 'por segundo'],
  ['Rafaga', 'rateBurst', 'Ráfaga', 'de una vez'],
  ['Invitaciones', 'invitesPerDay', 'Invitaciones por día', 'en 24 horas'],
]

const limitFields = (everyone: Everyone): FormFields =>
  Object.fromEntries(
    LIMITS.map(([name, key, label, unit]) => {
      const { least, most } = LIMIT_BOUNDS[key]
      const field: FormField = {
        label,
        hint: `Todas: ${inFigures(everyone[key])} ${unit}.`,
        more: { inputmode: 'numeric', autocomplete: 'off', maxlength: 9, required: false },
        check: (text) =>
          !isBetween(digitsOf(text), least, most) &&
          `Debe ser un número entre ${inFigures(least)} y ${inFigures(most)}, o quedar vacío.`,
      }
      return [name, field]
    }),
  )

const digitsOf = (text: string): string => text.replaceAll('.', '')

const isBetween = (digits: string, least: number, most: number): boolean =>
  /^\d{1,7}$/.test(digits) && Number(digits) >= least && Number(digits) <= most

/** The limits of a form without errors. */
const limitsOf = (given: Refused['given']): AppLimits =>
  Object.fromEntries(
    LIMITS.map(([name, key]) => [key, given[name] ? Number(digitsOf(given[name])) : null]),
  ) as unknown as AppLimits

interface LimitsProps {
  app: App
  everyone: Everyone
  refused: Refused | undefined
}

/** What the app may ask; what is left empty is as for everyone. */
export function Limits({ app, everyone, refused }: LimitsProps) {
  const present = Object.fromEntries(LIMITS.map(([name, key]) => [name, app.limits[key]?.toString()]))
  return (
    <Section id="limites" title="Límites">
      <Form action={`${appHref(app)}/limites`} errors={refused?.errors} button="Guardar los límites">
        <p class="hint">Vacío: como todas las apps. Los cambios rigen en todas partes en un segundo.</p>
        <div class="fields-beside">
          <Fields fields={limitFields(everyone)} given={present} {...refused} />
        </div>
      </Form>
    </Section>
  )
}

const ALL = 'todos'

/** The topics that the app may use. */
export const Topics = ({ app }: { app: App }) => (
  <Section id="temas" title="Topics">
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
  </Section>
)

/** The topics that a form says; null: all of them. */
const topicsIn = (form: URLSearchParams): string[] | null =>
  ticked(form, ALL) ? null : TOPICS.filter((topic) => ticked(form, topic))

/** The name of the app and whom to write to. */
export const AppData = ({ app, refused }: { app: AppAtWork; refused: Refused | undefined }) => (
  <Section id="datos" title="Datos">
    <Form action={`${appHref(app)}/datos`} errors={refused?.errors} button="Guardar los datos">
      <Fields fields={DATA_FIELDS} given={{ Nombre: app.nombre, Contacto: app.contacto }} {...refused} />
    </Form>
  </Section>
)
