import type { FastifyReply } from 'fastify'
import { fullName, MAIL_CHARACTERS } from '../../../accounts/account.ts'
import { type AppMember, cancelInvite, leaveTeam, listMembers, type PendingMember } from '../../../accounts/members.ts'
import { type App, type AppLimits, type GeneralLimits, LIMIT_BOUNDS } from '../../../apps/app.ts'
import { disableApp, findLockedApp, renameApp, setLimits, setTopics } from '../../../apps/store.ts'
import { conflict, fault, invalid, notFound } from '../../../http/problems.ts'
import { message, t } from '../../../i18n/messages.tsx'
import type { Db } from '../../../store/db.ts'
import { normalizeLine } from '../../../text.ts'
import { TOPICS } from '../../../webhooks/topics.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { InviteMember, inviteToTeam, PendingMembers, rolLabel } from '../../equipo/routes.tsx'
import { Acts, DangerLink, Form, Tick } from '../../fields.tsx'
import { CONFIRMATION_FORM, formRoute, isChecked, provenForm } from '../../form.ts'
import { Fields, type FormField, type FormFields, type Refused, readFields } from '../../form-fields.tsx'
import type { TimeContext } from '../../format.tsx'
import { formState, saveUnlessOvertaken, versionIn } from '../../overtaken.ts'
import { numberParam, requireFound } from '../../params.ts'
import { NamedRow, Section } from '../../parts.tsx'
import { type ByAppKey, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { CONSOLE, type ConsoleContext, type ConsolePages } from '../context.tsx'
import { APP_FORM, dataFields } from './claves.tsx'
import { APPS, appAt, appHref } from './list.tsx'

const MOTIVO_CHARACTERS = 500 // as the store keeps it
const reasonFields = (): FormFields => ({
  Motivo: {
    label: t('consola.app.reason'),
    hint: t('consola.app.reason.hint'),
    optional: true,
    max: MOTIVO_CHARACTERS,
  },
})

export type RefusedForm = Refused & { form: 'datos' | 'temas' | 'limites' | 'equipo' }

type ShowRefused = (
  reply: FastifyReply,
  ctx: ConsoleContext,
  appKey: string,
  refused: RefusedForm,
) => Promise<FastifyReply>

/** /consola/apps/{AppKey}/…: its name, topics and limits, and whether it is enabled. */
export function appSettingsRoutes(app: ConsolePages, deps: PageDeps, showRefused: ShowRefused): void {
  teamRoutes(app, deps, showRefused)

  const lockedApp = async (tx: Db, appKey: string): Promise<App> =>
    requireFound(await findLockedApp(tx, appKey), message('consola.apps.noSuch'))

  app.post<ByAppKey>('/apps/:appKey/datos', APP_FORM, async ({ ctx, params, form }, reply) => {
    const { appKey } = await appAt(deps, params.appKey)
    const { given, errors } = readFields(dataFields(), form)
    if (errors) return showRefused(reply, ctx, appKey, { form: 'datos', given, errors, version: versionIn(form) })
    const { Nombre: nombre, Contacto: contacto } = given
    const refused = await saveUnlessOvertaken(
      ctx,
      { act: 'app.datos', subject: appKey, detail: { nombre } },
      {
        form,
        given,
        stored: async (tx) => shownData(await lockedApp(tx, appKey)),
        save: (tx) => renameApp(tx, appKey, { nombre, contacto: contacto || null }),
      },
    )
    if (refused) return showRefused(reply, ctx, appKey, { form: 'datos', ...refused })
    return redirectWithNotice(reply, 'app-datos', appHref({ appKey }))
  })

  app.post<ByAppKey>('/apps/:appKey/temas', formRoute(100), async ({ ctx, params, form }, reply) => {
    const { appKey } = await appAt(deps, params.appKey)
    const topics = topicsIn(form)
    const refused = await saveUnlessOvertaken(
      ctx,
      { act: 'app.temas', subject: appKey, detail: { temas: topics ?? 'todos' } },
      {
        form,
        given: shownTopics(topics),
        stored: async (tx) => shownTopics((await lockedApp(tx, appKey)).topics),
        save: (tx) => setTopics(tx, appKey, topics),
      },
    )
    if (refused) return showRefused(reply, ctx, appKey, { form: 'temas', ...refused })
    return redirectWithNotice(reply, 'app-temas', `${appHref({ appKey })}#temas`)
  })

  app.post<ByAppKey>('/apps/:appKey/limites', CONFIRMATION_FORM, async ({ ctx, params, form }, reply) => {
    const { appKey } = await appAt(deps, params.appKey)
    const { given, errors } = readFields(limitFields(deps.config), form)
    if (errors) return showRefused(reply, ctx, appKey, { form: 'limites', given, errors, version: versionIn(form) })
    const limits = limitsOf(given)
    const refused = await saveUnlessOvertaken(
      ctx,
      { act: 'app.limites', subject: appKey, detail: { ...limits } },
      {
        form,
        given: shownLimits(limits),
        stored: async (tx) => shownLimits((await lockedApp(tx, appKey)).limits),
        save: (tx) => setLimits(tx, appKey, limits),
      },
    )
    if (refused) return showRefused(reply, ctx, appKey, { form: 'limites', ...refused })
    return redirectWithNotice(reply, 'app-limites', `${appHref({ appKey })}#limites`)
  })

  async function setDisabled(ctx: ConsoleContext, appKey: string, disabled: boolean, form: URLSearchParams) {
    const motivo = normalizeLine(form.get('Motivo') ?? '')
    if (motivo.length > MOTIVO_CHARACTERS)
      throw invalid({ _: [fault('muy-largo', t('consola.app.reason.long', { max: MOTIVO_CHARACTERS }))] })
    const act = disabled ? 'app.deshabilitar' : 'app.habilitar'
    await ctx.change({ act, subject: appKey, ...(motivo && { detail: { motivo } }) }, (tx) =>
      disableApp(tx, appKey, disabled, motivo || null),
    )
  }

  serveConfirmation(app, '/apps/:appKey/deshabilitar', {
    audience: CONSOLE,
    section: APPS,
    form: formRoute(MOTIVO_CHARACTERS),
    load: ({ appKey }: ByAppKey['Params']) => appAt(deps, appKey),
    parentLink: (found) => ({ href: appHref(found), label: found.nombre }),
    question: ({ nombre }) => ({
      title: t('consola.app.disable.title', { app: nombre }),
      button: t('consola.app.disable.button'),
      fields: <Fields fields={reasonFields()} />,
      consequences: [
        t('consola.app.disable.refused'),
        t('consola.app.disable.webhooks'),
        t('consola.app.disable.rest'),
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

const LIMITS: [name: string, key: keyof AppLimits][] = [
  ['PorSegundo', 'ratePerSecond'],
  ['Rafaga', 'rateBurst'],
  ['Invitaciones', 'invitesPerDay'],
]

const limitFields = (defaults: GeneralLimits): FormFields =>
  Object.fromEntries(
    LIMITS.map(([name, key]) => {
      const { least, most } = LIMIT_BOUNDS[key]
      const field: FormField = {
        label: t(`consola.app.limit.${key}`),
        hint: t(`consola.app.limit.${key}.hint`, { count: defaults[key] }),
        more: { inputmode: 'numeric', autocomplete: 'off', maxlength: 9, required: false },
        check: (text) => !isBetween(digitsOf(text), least, most) && t('consola.app.limit.fault', { least, most }),
      }
      return [name, field]
    }),
  )

/** Without the separators of thousands, which differ by language. */
const digitsOf = (text: string): string => text.replaceAll(/[.,]/g, '')

const isBetween = (digits: string, least: number, most: number): boolean =>
  /^\d{1,7}$/.test(digits) && Number(digits) >= least && Number(digits) <= most

const limitsOf = (given: Refused['given']): AppLimits =>
  Object.fromEntries(
    LIMITS.map(([name, key]) => [key, given[name] ? Number(digitsOf(given[name])) : null]),
  ) as unknown as AppLimits

const shownLimits = (limits: AppLimits): Record<string, string> =>
  Object.fromEntries(LIMITS.map(([name, key]) => [name, limits[key]?.toString() ?? '']))

/** The app's limits; an empty field means the general limit. */
export function LimitsForm({ app, defaults, refused }: AppFormProps & { defaults: GeneralLimits }) {
  return (
    <Section id="limites" title={t('consola.app.limits')}>
      <Form
        action={`${appHref(app)}/limites`}
        button={t('consola.app.limits.save')}
        {...formState(shownLimits(app.limits), refused)}
      >
        <p class="hint">{t('consola.app.limits.hint')}</p>
        <div class="fields-beside">
          <Fields fields={limitFields(defaults)} />
        </div>
      </Form>
    </Section>
  )
}

const ALL = 'todos'

/** The topics as the ticks of their form. */
const shownTopics = (topics: readonly string[] | null): Record<string, string> => ({
  [ALL]: topics === null ? 'si' : '',
  ...Object.fromEntries(TOPICS.map((topic) => [topic, topics?.includes(topic) ? 'si' : ''])),
})

interface AppFormProps {
  app: App
  refused: Refused | undefined
}

export function Topics({ app, refused }: AppFormProps) {
  const { given, ...form } = formState(shownTopics(app.topics), refused)
  return (
    <Section id="temas" title={t('consola.app.topics')}>
      <p>
        {app.topics === null
          ? t('consola.app.topics.all')
          : t('consola.app.topics.some', { count: app.topics.length, total: TOPICS.length })}
      </p>
      {app.topics && app.topics.length > 0 && (
        <ul>
          {app.topics.map((topic) => (
            <li key={topic}>
              <code>{topic}</code>
            </li>
          ))}
        </ul>
      )}
      <Acts>
        <details open={refused !== undefined}>
          <summary>{t('consola.app.topics.change')}</summary>
          <Form action={`${appHref(app)}/temas`} button={t('consola.app.topics.save')} {...form}>
            <Tick
              name={ALL}
              label={t('consola.filter.all.m')}
              hint={t('consola.app.topics.allHint')}
              checked={given[ALL] === 'si'}
            />
            {TOPICS.map((topic) => (
              <Tick
                key={topic}
                name={topic}
                label={topic}
                hint={t(`entregas.topic.${topic}`)}
                checked={given[topic] === 'si'}
              />
            ))}
          </Form>
        </details>
      </Acts>
    </Section>
  )
}

/** The topics that a form says; null: all of them. */
const topicsIn = (form: URLSearchParams): string[] | null =>
  isChecked(form, ALL) ? null : TOPICS.filter((topic) => isChecked(form, topic))

const shownData = ({ nombre, contacto }: App) => ({ Nombre: nombre, Contacto: contacto ?? '' })

export function AppData({ app, refused }: AppFormProps) {
  return (
    <Section id="datos" title={t('consola.app.data')}>
      <Form
        action={`${appHref(app)}/datos`}
        button={t('consola.app.data.save')}
        {...formState(shownData(app), refused)}
      >
        <Fields fields={dataFields()} />
      </Form>
    </Section>
  )
}

type ByMember = { Params: { appKey: string; id: string } }

/** /consola/apps/{AppKey}/equipo: who sees the app in the portal. */
function teamRoutes(app: ConsolePages, deps: PageDeps, showRefused: ShowRefused): void {
  const { store } = deps

  app.post<ByAppKey>(
    '/apps/:appKey/equipo',
    provenForm(formRoute(MAIL_CHARACTERS)),
    async ({ ctx, params, form }, reply) => {
      const found = await appAt(deps, params.appKey)
      const refused = await inviteToTeam(ctx, deps, form, { app: found, act: 'app.equipo-invitar' })
      if (refused) return showRefused(reply, ctx, found.appKey, { form: 'equipo', ...refused })
      return redirectWithNotice(reply, 'app-equipo-invitada', `${appHref(found)}#equipo`)
    },
  )

  app.post<ByMember>(
    '/apps/:appKey/equipo/:id/retirar',
    provenForm(CONFIRMATION_FORM),
    async ({ ctx, params }, reply) => {
      const found = await appAt(deps, params.appKey)
      const id = numberParam(params, 'id') ?? 0
      await ctx.change({ act: 'app.equipo-retirar', subject: found.appKey, detail: { cuenta: id } }, async (tx) => {
        if (!(await cancelInvite(tx, found.id, id))) throw notFound(message('portal.team.notInvited'))
      })
      return redirectWithNotice(reply, 'app-equipo-retirada', `${appHref(found)}#equipo`)
    },
  )

  serveConfirmation(app, '/apps/:appKey/equipo/:id/quitar', {
    audience: CONSOLE,
    section: APPS,
    load: async ({ appKey, id }: ByMember['Params']) => {
      const found = await appAt(deps, appKey)
      const member = (await listMembers(store, found.id)).find((each) => String(each.id) === id)
      return { app: found, member: requireFound(member) }
    },
    parentLink: ({ app: { appKey, nombre } }) => ({ href: `${appHref({ appKey })}#equipo`, label: nombre }),
    question: ({ app: { nombre }, member }) => ({
      title: t('consola.staff.remove.title', { name: fullName(member) }),
      button: t('consola.act.yesRemove'),
      consequences: [t('consola.app.team.remove.access', { app: nombre }), t('consola.app.team.remove.secret')],
    }),
    act: ({ app: { id, appKey }, member }, ctx) =>
      ctx.change({ act: 'app.equipo-quitar', subject: appKey, detail: { cuenta: member.id } }, async (tx) => {
        const outcome = await leaveTeam(tx, id, member.id)
        if (outcome === 'gone') throw notFound()
        if (outcome === 'last') throw conflict({}, message('consola.app.team.last'))
      }),
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
    <Section id="equipo" title={t('consola.app.team')}>
      {members.length === 0 ? (
        <p class="empty">
          {t('consola.app.team.none')} <Acts>{t('consola.app.team.none.first')}</Acts>
        </p>
      ) : (
        <ul class="rows">
          {members.map((member) => (
            <NamedRow key={member.id} name={fullName(member)} hint={member.email} badge={rolLabel(member.rol)}>
              <DangerLink
                href={`${team}/${member.id}/quitar`}
                label={t('consola.act.remove')}
                to={t('consola.act.removePerson', { name: fullName(member) })}
              />
            </NamedRow>
          ))}
        </ul>
      )}
      {pending.length > 0 && (
        <>
          <h3>{t('portal.team.pending')}</h3>
          <PendingMembers at={team} pending={pending} when={when} decides />
        </>
      )}
      <Acts>
        <details open={refused !== undefined}>
          <summary>{t('portal.team.invite')}</summary>
          <InviteMember at={team} {...refused} />
        </details>
      </Acts>
    </Section>
  )
}
