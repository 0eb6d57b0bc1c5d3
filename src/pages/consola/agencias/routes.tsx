import { fullName, MAIL_CHARACTERS } from '../../../accounts/account.ts'
import { withQuery } from '../../../http/links.ts'
import { notFound } from '../../../http/problems.ts'
import { labels, message, rich, t } from '../../../i18n/messages.tsx'
import { type Agencia, formatCampo } from '../../../resources/agencias/agencia.ts'
import { type HistoryEntry, historyOf } from '../../../resources/agencias/edit.ts'
import { inviteOperador, removeOperador, withdrawInvitation } from '../../../resources/agencias/operadores.ts'
import { findPaquete } from '../../../resources/agencias/paquetes.ts'
import { asociacionesOf, pendingOperadores } from '../../../resources/agencias/read.ts'
import { ADMIN_MAIL_CHARACTERS } from '../../../resources/agencias/schema.ts'
import { type AgenciaRecord, agenciaRecord, appsToAssociate } from '../../../resources/agencias/staff.ts'
import { listInvitaciones } from '../../../resources/agencias/staff-invitaciones.ts'
import { AGENCY_REFUSALS, AgencyData, AgencyPeople, PaqueteUse, withdrawQuestion } from '../../agency.tsx'
import { serveConfirmation } from '../../confirm.tsx'
import { Acts, EMAIL_INPUT, Form } from '../../fields.tsx'
import { CONFIRMATION_FORM, formRoute, provenForm, textFields } from '../../form.ts'
import { Fields, type FormFields, type Refused } from '../../form-fields.tsx'
import { formatDay, Moment, type TimeContext } from '../../format.tsx'
import { serveList } from '../../list.tsx'
import { page } from '../../page.ts'
import { SecondaryLink, Section } from '../../parts.tsx'
import { type ById, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { type Column, Table } from '../../table.tsx'
import { CONSOLE, type ConsoleContext, ConsolePage, type ConsolePages, ModoBadge } from '../context.tsx'
import { AgencyApps, agenciaAppsRoutes } from './apps.tsx'
import { invitacionColumns, invitacionesRoutes } from './invitaciones.tsx'
import { AGENCIAS, AGENCIAS_LIST, agenciaAt, consolaAgenciaHref } from './list.tsx'
import { paqueteRoutes } from './paquete.tsx'

/** /consola/agencias: the dealerships, whatever app brought them. */
export function agenciasPages(app: ConsolePages, deps: PageDeps): void {
  serveList(app, '/agencias', deps, AGENCIAS_LIST)

  app.get<ById>('/agencias/:id', async ({ ctx, params }, reply) => {
    const agencia = await agenciaAt(deps, params.id)
    await ctx.audit('agencia.leer', agencia.adminMail)
    return page(reply, await agenciaPage(deps, ctx, agencia))
  })

  paqueteRoutes(app, deps)
  agenciaAppsRoutes(app, deps)
  peopleRoutes(app, deps)
  invitacionesRoutes(app, deps)
}

/** /consola/agencias/{id}/personas and …/administrador: the people of an agency, managed by the marketplace. */
function peopleRoutes(app: ConsolePages, deps: PageDeps): void {
  app.post<ById>(
    '/agencias/:id/administrador',
    provenForm(formRoute(MAIL_CHARACTERS)),
    async ({ ctx, params, form }, reply) => {
      const agencia = await agenciaAt(deps, params.id)
      const given = textFields(form, ['Email'])
      const { kind } = await ctx.change<Awaited<ReturnType<typeof inviteOperador>>>(
        (outcome) =>
          outcome.kind === 'invited' ? { act: 'agencia.administrador', subject: agencia.adminMail } : undefined,
        (tx) => inviteOperador({ ...deps, store: tx }, { agencia, email: given.Email, rol: 'administrador' }),
      )
      if (kind !== 'invited') {
        const replacement = { given, errors: { Email: [REFUSALS[kind]] } }
        return page(reply, await agenciaPage(deps, ctx, agencia, replacement), 400)
      }
      return redirectWithNotice(reply, 'agencia-reemplazo', `${consolaAgenciaHref(agencia)}#personas`)
    },
  )

  serveConfirmation(app, '/agencias/:id/personas/:accountId/quitar', {
    audience: CONSOLE,
    section: AGENCIAS,
    load: async ({ id, accountId }: { id: string; accountId: string }) => {
      const agencia = await agenciaAt(deps, id)
      const operador = agencia.operadores.find((each) => String(each.accountId) === accountId)
      // The administrator is replaced, not removed.
      if (operador?.rol !== 'vendedor') throw notFound(message('consola.agency.notCollaborator'))
      return { agencia, operador }
    },
    parentLink: ({ agencia }) => ({ href: consolaAgenciaHref(agencia), label: agencia.nombre }),
    question: ({ operador }) => ({
      title: t('consola.agency.remove.title', { name: fullName(operador) }),
      button: t('consola.act.yesRemove'),
      consequences: [
        t('consola.agency.remove.access'),
        t('consola.agency.remove.inquiries'),
        t('consola.agency.remove.apps'),
      ],
    }),
    act: ({ agencia, operador: { accountId: cuenta } }, ctx) =>
      ctx.change({ act: 'agencia.quitar-persona', subject: agencia.adminMail, detail: { cuenta } }, async (tx) => {
        if (!(await removeOperador({ ...deps, store: tx }, agencia, cuenta))) throw notFound()
      }),
    form: provenForm(CONFIRMATION_FORM),
    notice: 'agencia-operador-quitado',
    next: ({ agencia }) => `${consolaAgenciaHref(agencia)}#personas`,
  })

  serveConfirmation(app, '/agencias/:id/personas/:accountId/retirar', {
    audience: CONSOLE,
    section: AGENCIAS,
    load: async ({ id, accountId }: { id: string; accountId: string }) => {
      const agencia = await agenciaAt(deps, id)
      const pending = await pendingOperadores(deps.store, agencia.id)
      const invited = pending.find((each) => String(each.accountId) === accountId)
      if (!invited) throw notFound()
      return { agencia, invited }
    },
    parentLink: ({ agencia }) => ({ href: consolaAgenciaHref(agencia), label: agencia.nombre }),
    question: ({ invited }) => withdrawQuestion(invited.email),
    act: ({ agencia, invited: { accountId: cuenta } }, ctx) =>
      ctx.change({ act: 'agencia.retirar-invitacion', subject: agencia.adminMail, detail: { cuenta } }, async (tx) => {
        if (!(await withdrawInvitation({ ...deps, store: tx }, agencia, cuenta))) throw notFound()
      }),
    notice: 'retirada',
    next: ({ agencia }) => `${consolaAgenciaHref(agencia)}#personas`,
  })
}

const REFUSALS = labels({
  invalid: 'consola.agency.admin.invalid',
  already: 'consola.agency.admin.already',
  ...AGENCY_REFUSALS,
})

const LAST_CHANGES = 20
const LAST_INVITATIONS = 20

/** `replacement` is the refused form of a new administrator. */
async function agenciaPage({ store, config }: PageDeps, ctx: ConsoleContext, agencia: Agencia, replacement?: Refused) {
  const { id } = agencia
  const { country, timeZone } = config
  const [record, contracted, asociaciones, apps, invitaciones, pending, history] = await Promise.all([
    agenciaRecord(store, id),
    findPaquete(store, id, timeZone),
    asociacionesOf(store, id),
    appsToAssociate(store, agencia),
    listInvitaciones(store, { agencia }, { limit: LAST_INVITATIONS }),
    pendingOperadores(store, id),
    historyOf(store, id, LAST_CHANGES),
  ])
  if (!record) throw notFound(message('consola.agencies.noSuch'))
  return (
    <ConsolePage
      ctx={ctx}
      title={agencia.nombre}
      parentLink={{ href: AGENCIAS, label: t('consola.nav.agencias') }}
      intro={
        <p class="facts">
          <ModoBadge modo={agencia.modo} />
          <span class="anywhere">{agencia.adminMail}</span>
          <span>{rich('consola.agency.since', { moment: <Moment at={record.creada} when={ctx} /> })}</span>
        </p>
      }
    >
      <PageLinks ctx={ctx} adminMail={agencia.adminMail} />
      <div class="with-side even">
        <Section title={t('consola.agency.data')}>
          <AgencyData agencia={agencia} country={country} />
          <Former antes={record.antes} timeZone={timeZone} />
        </Section>
        <Section id="paquete" title={t('consola.package.title')}>
          {contracted.nombre === null ? (
            <p class="empty">{t('consola.agency.noPackage')}</p>
          ) : (
            <PaqueteUse contracted={contracted} />
          )}
          <Acts>
            <p>
              <SecondaryLink href={`${consolaAgenciaHref(agencia)}/paquete`}>
                {contracted.nombre === null ? t('consola.agency.contract') : t('consola.agency.changePackage')}
              </SecondaryLink>
            </p>
          </Acts>
        </Section>
      </div>
      <AgencyApps agencia={agencia} asociaciones={asociaciones} apps={apps} timeZone={timeZone} />
      <PeopleSection agencia={agencia} pending={pending} replacement={replacement} />
      <Section id="invitaciones" title={t('consola.invitations.title')}>
        <Table
          caption={t('consola.invitations.title')}
          columns={invitacionColumns(ctx, (action) => action, consolaAgenciaHref(agencia))}
          rows={invitaciones.rows}
          empty={<p>{t('consola.agency.invitations.none')}</p>}
        />
      </Section>
      <Section id="historia" title={t('consola.agency.changes')}>
        <Table
          caption={t('consola.agency.changes.caption')}
          columns={historyColumns(country, ctx)}
          rows={history}
          empty={<p>{t('consola.agency.changes.none')}</p>}
        />
      </Section>
    </ConsolePage>
  )
}

function PageLinks({ ctx, adminMail }: { ctx: ConsoleContext; adminMail: string }) {
  const href = (list: string, param: string) => withQuery(`/consola/${list}`, ctx.sealMails({ [param]: adminMail }))
  return (
    <p class="row page-links">
      <SecondaryLink href={href('consultas', 'agencia')}>{t('consola.nav.consultas')}</SecondaryLink>
      <SecondaryLink href={href('publicaciones', 'agencia')}>{t('consola.nav.publicaciones')}</SecondaryLink>
      <SecondaryLink href={href('entregas', 'q')}>{t('consola.nav.entregas')}</SecondaryLink>
      <SecondaryLink href={href('correos', 'para')}>{t('consola.nav.correos')}</SecondaryLink>
    </p>
  )
}

const Former = ({ antes, timeZone }: { antes: AgenciaRecord['antes']; timeZone: string }) =>
  antes.length === 0 ? null : (
    <p class="hint">
      {t('consola.agency.former', {
        list: antes
          .map(({ adminMail, hasta }) =>
            t('consola.agency.formerUntil', { mail: adminMail, day: formatDay(new Date(hasta), timeZone) }),
          )
          .join(', '),
      })}
    </p>
  )

const historyColumns = (country: string, when: TimeContext): Column<HistoryEntry>[] => [
  { head: t('consola.head.when'), cell: ({ at }) => <Moment at={at} when={when} short /> },
  {
    head: t('consola.head.who'),
    cell: ({ app, person }) => app ?? (person ? fullName(person) : t('consola.agency.market')),
  },
  {
    head: t('consola.head.what'),
    cell: ({ changes }) => (
      <ul class="plain-list">
        {changes.map(({ campo, antes, despues }) => (
          <li key={campo}>
            {formatCampo(campo, country)}: <del>{antes ?? t('consola.agency.nothing')}</del> →{' '}
            <ins>{despues ?? t('consola.agency.nothing')}</ins>
          </li>
        ))}
      </ul>
    ),
  },
]

const administratorFields = (): FormFields => ({
  Email: {
    label: t('consola.agency.person.email'),
    more: { ...EMAIL_INPUT, autocomplete: 'off', maxlength: ADMIN_MAIL_CHARACTERS },
  },
})

interface PeopleSectionProps {
  agencia: Agencia
  pending: Awaited<ReturnType<typeof pendingOperadores>>
  replacement: Refused | undefined
}

const PeopleSection = ({ agencia, pending, replacement }: PeopleSectionProps) => (
  <Section id="personas" title={t('consola.agency.people')}>
    <AgencyPeople
      agencia={agencia}
      pending={pending}
      path={`${consolaAgenciaHref(agencia)}/personas`}
      decides
      hintOf={({ email }) => email}
    />
    <Acts>
      <details open={replacement !== undefined}>
        <summary>{t('consola.agency.replace')}</summary>
        <Form
          action={`${consolaAgenciaHref(agencia)}/administrador`}
          button={t('consola.agency.replace.button')}
          {...replacement}
        >
          <ul>
            <li>{t('consola.agency.replace.link')}</li>
            <li>{t('consola.agency.replace.email')}</li>
            <li>{t('consola.agency.replace.former')}</li>
          </ul>
          <Fields fields={administratorFields()} />
        </Form>
      </details>
    </Acts>
  </Section>
)
