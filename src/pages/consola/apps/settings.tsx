import type { FastifyReply } from 'fastify'
import { fullName, MAIL_CHARACTERS, type MemberRol } from '../../../accounts/account.ts'
import { type AppMember, cancelInvite, leaveTeam, listMembers, type PendingMember } from '../../../accounts/members.ts'
import { type App, type AppLimits, type GeneralLimits, LIMIT_BOUNDS } from '../../../apps/app.ts'
import { type AppOverview, disableApp, renameApp, setLimits, setTopics } from '../../../apps/store.ts'
import { conflict, fault, invalid, notFound } from '../../../http/problems.ts'
import { normalizeLine } from '../../../text.ts'
import { DESCRIPTIONS, TOPICS } from '../../../webhooks/topics.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { InviteMember, inviteMember, PendingMembers, ROLES, TEAM_REFUSALS } from '../../equipo/routes.tsx'
import { DangerLink, Form, Tick } from '../../fields.tsx'
import { CONFIRMATION_FORM, formRoute, isChecked, provenForm, textFields } from '../../form.ts'
import { Fields, type FormField, type FormFields, type Refused, readFields } from '../../form-fields.tsx'
import { formatNumber, type TimeContext } from '../../format.tsx'
import { numberParam } from '../../params.ts'
import { NamedRow, Section } from '../../parts.tsx'
import { type ByAppKey, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { CONSOLE, type ConsoleContext, type ConsolePages } from '../context.tsx'
import { APP_FORM, dataFields } from './keys.tsx'
import { APPS, appAt, appHref } from './list.tsx'

const MOTIVO_CHARACTERS = 500 // as the store keeps it
const MOTIVO: FormFields = {
  Motivo: {
    label: 'Motivo',
    hint: 'Lo leen las personas de la app en su portal, con la fecha.',
    optional: true,
    max: MOTIVO_CHARACTERS,
  },
}

export type RefusedForm = Refused & { form: 'datos' | 'limites' | 'equipo' }

type ShowRefused = (
  reply: FastifyReply,
  ctx: ConsoleContext,
  appKey: string,
  refused: RefusedForm,
) => Promise<FastifyReply>

/** /consola/apps/{AppKey}/…: its name, topics and limits, and whether it is enabled. */
export function appSettingsRoutes(app: ConsolePages, deps: PageDeps, showRefused: ShowRefused): void {
  const { store } = deps
  teamRoutes(app, deps, showRefused)

  app.post<ByAppKey>('/apps/:appKey/datos', APP_FORM, async ({ ctx, params, form }, reply) => {
    const { appKey } = await appAt(deps, params.appKey)
    const { given, errors } = readFields(dataFields(), form)
    if (errors) return showRefused(reply, ctx, appKey, { form: 'datos', given, errors })
    const { Nombre: nombre, Contacto: contacto } = given
    await store.transaction(async (tx) => {
      await renameApp(tx, appKey, { nombre, contacto: contacto || null })
      await ctx.audit('app.datos', appKey, { nombre }, tx)
    })
    return redirectWithNotice(reply, 'app-datos', appHref({ appKey }))
  })

  app.post<ByAppKey>('/apps/:appKey/temas', formRoute(100), async ({ ctx, params, form }, reply) => {
    const { appKey } = await appAt(deps, params.appKey)
    const topics = topicsIn(form)
    await store.transaction(async (tx) => {
      await setTopics(tx, appKey, topics)
      await ctx.audit('app.temas', appKey, { temas: topics ?? 'todos' }, tx)
    })
    return redirectWithNotice(reply, 'app-temas', `${appHref({ appKey })}#temas`)
  })

  app.post<ByAppKey>('/apps/:appKey/limites', CONFIRMATION_FORM, async ({ ctx, params, form }, reply) => {
    const { appKey } = await appAt(deps, params.appKey)
    const { given, errors } = readFields(limitFields(deps.config), form)
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
      throw invalid({ _: [fault('muy-largo', `El motivo puede tener hasta ${MOTIVO_CHARACTERS} caracteres.`)] })
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
    parentLink: (found) => ({ href: appHref(found), label: found.nombre }),
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

  app.post<ByAppKey>('/apps/:appKey/habilitar', formRoute(MOTIVO_CHARACTERS), async ({ ctx, params, form }, reply) => {
    const { appKey } = await appAt(deps, params.appKey)
    await setDisabled(ctx, appKey, false, form)
    return redirectWithNotice(reply, 'app-habilitada', appHref({ appKey }))
  })
}

const LIMITS: [name: string, key: keyof AppLimits, label: string, unit: string][] = [
  ['PorSegundo', 'ratePerSecond', 'Solicitudes por segundo', 'por segundo'],
  ['Rafaga', 'rateBurst', 'Ráfaga', 'de una vez'],
  ['Invitaciones', 'invitesPerDay', 'Invitaciones por día', 'en 24 horas'],
]

const limitFields = (defaults: GeneralLimits): FormFields =>
  Object.fromEntries(
    LIMITS.map(([name, key, label, unit]) => {
      const { least, most } = LIMIT_BOUNDS[key]
      const field: FormField = {
        label,
        hint: `Todas: ${formatNumber(defaults[key])} ${unit}.`,
        more: { inputmode: 'numeric', autocomplete: 'off', maxlength: 9, required: false },
        check: (text) =>
          !isBetween(digitsOf(text), least, most) &&
          `Debe ser un número entre ${formatNumber(least)} y ${formatNumber(most)}, o quedar vacío.`,
      }
      return [name, field]
    }),
  )

const digitsOf = (text: string): string => text.replaceAll('.', '')

const isBetween = (digits: string, least: number, most: number): boolean =>
  /^\d{1,7}$/.test(digits) && Number(digits) >= least && Number(digits) <= most

const limitsOf = (given: Refused['given']): AppLimits =>
  Object.fromEntries(
    LIMITS.map(([name, key]) => [key, given[name] ? Number(digitsOf(given[name])) : null]),
  ) as unknown as AppLimits

interface LimitsProps {
  app: App
  defaults: GeneralLimits
  refused: Refused | undefined
}

/** The app's limits; an empty field means the general limit. */
export function Limits({ app, defaults, refused }: LimitsProps) {
  const present = Object.fromEntries(LIMITS.map(([name, key]) => [name, app.limits[key]?.toString()]))
  return (
    <Section id="limites" title="Límites">
      <Form action={`${appHref(app)}/limites`} errors={refused?.errors} button="Guardar los límites">
        <p class="hint">Vacío: como todas las apps. Los cambios rigen en todas partes en un segundo.</p>
        <div class="fields-beside">
          <Fields fields={limitFields(defaults)} given={present} {...refused} />
        </div>
      </Form>
    </Section>
  )
}

const ALL = 'todos'

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
  isChecked(form, ALL) ? null : TOPICS.filter((topic) => isChecked(form, topic))

export const AppData = ({ app, refused }: { app: AppOverview; refused: Refused | undefined }) => (
  <Section id="datos" title="Datos">
    <Form action={`${appHref(app)}/datos`} errors={refused?.errors} button="Guardar los datos">
      <Fields fields={dataFields()} given={{ Nombre: app.nombre, Contacto: app.contacto }} {...refused} />
    </Form>
  </Section>
)

type ByMember = { Params: { appKey: string; id: string } }

const LAST = 'Es la única persona titular: invite a otra primero. Una app sin titular no tendría quien decida.'

/** /consola/apps/{AppKey}/equipo: who sees the app in the portal. */
function teamRoutes(app: ConsolePages, deps: PageDeps, showRefused: ShowRefused): void {
  const { store } = deps

  app.post<ByAppKey>(
    '/apps/:appKey/equipo',
    provenForm(formRoute(MAIL_CHARACTERS)),
    async ({ ctx, params, form }, reply) => {
      const found = await appAt(deps, params.appKey)
      const given = textFields(form, ['Email', 'Rol'])
      const rol = (Object.keys(ROLES) as MemberRol[]).find((known) => known === given.Rol)
      const outcome = rol && (await inviteMember(deps, { app: found, email: given.Email, rol }))
      if (outcome !== 'invited') {
        const errors = outcome ? { Email: [TEAM_REFUSALS[outcome]] } : { Rol: ['Elija un rol.'] }
        return showRefused(reply, ctx, found.appKey, { form: 'equipo', given, errors })
      }
      await ctx.audit('app.equipo-invitar', found.appKey, { rol })
      return redirectWithNotice(reply, 'app-equipo-invitada', `${appHref(found)}#equipo`)
    },
  )

  app.post<ByMember>(
    '/apps/:appKey/equipo/:id/retirar',
    provenForm(CONFIRMATION_FORM),
    async ({ ctx, params }, reply) => {
      const found = await appAt(deps, params.appKey)
      const id = numberParam(params, 'id') ?? 0
      if (!(await store.transaction((tx) => cancelInvite(tx, found.id, id)))) throw notFound('Nadie así está invitado.')
      await ctx.audit('app.equipo-retirar', found.appKey, { cuenta: id })
      return redirectWithNotice(reply, 'app-equipo-retirada', `${appHref(found)}#equipo`)
    },
  )

  serveConfirmation(app, '/apps/:appKey/equipo/:id/quitar', {
    audience: CONSOLE,
    section: APPS,
    load: async ({ appKey, id }: ByMember['Params']) => {
      const found = await appAt(deps, appKey)
      const member = (await listMembers(store, found.id)).find((each) => String(each.id) === id)
      if (!member) throw notFound()
      return { app: found, member }
    },
    parentLink: ({ app: { appKey, nombre } }) => ({ href: `${appHref({ appKey })}#equipo`, label: nombre }),
    question: ({ app: { nombre }, member }) => ({
      title: `¿Quitar a ${fullName(member)} del equipo?`,
      button: 'Sí, quitar',
      consequences: [
        `Deja de ver ${nombre} en el portal en este momento, y las invitaciones que tenga dejan de servir.`,
        'Si conoce el AppSecret lo sigue conociendo: haga una clave nueva y revoque la anterior.',
      ],
    }),
    act: async ({ app: { id, appKey }, member }, ctx) => {
      const outcome = await store.transaction((tx) => leaveTeam(tx, id, member.id))
      if (outcome === 'gone') throw notFound()
      if (outcome === 'last') throw conflict({}, LAST)
      await ctx.audit('app.equipo-quitar', appKey, { cuenta: member.id })
    },
    form: provenForm(CONFIRMATION_FORM),
    notice: 'app-equipo-quitada',
  })
}

interface TeamProps {
  app: App
  members: AppMember[]
  pending: PendingMember[]
  when: TimeContext
  refused: Refused | undefined
}

export function Team({ app, members, pending, when, refused }: TeamProps) {
  const team = `${appHref(app)}/equipo`
  return (
    <Section id="equipo" title="Equipo">
      {members.length === 0 ? (
        <p class="empty">
          Nadie ve esta app en el portal. Invite a un titular: él decide sobre las claves y el equipo.
        </p>
      ) : (
        <ul class="rows">
          {members.map((member) => (
            <NamedRow key={member.id} name={fullName(member)} hint={member.email} badge={ROLES[member.rol]}>
              <DangerLink href={`${team}/${member.id}/quitar`} label="Quitar" to={`a ${fullName(member)}`} />
            </NamedRow>
          ))}
        </ul>
      )}
      {pending.length > 0 && (
        <>
          <h3>Invitaciones sin aceptar</h3>
          <PendingMembers at={team} pending={pending} when={when} decides />
        </>
      )}
      <details open={refused !== undefined}>
        <summary>Invitar a alguien</summary>
        <InviteMember
          at={team}
          given={{ email: refused?.given.Email, rol: refused?.given.Rol }}
          errors={refused?.errors}
        />
      </details>
    </Section>
  )
}
