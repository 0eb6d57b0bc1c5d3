import { fullName, MAIL_CHARACTERS } from '../../../accounts/account.ts'
import { withQuery } from '../../../http/links.ts'
import { notFound } from '../../../http/problems.ts'
import { labels } from '../../../i18n/messages.tsx'
import { type Agencia, formatCampo } from '../../../resources/agencias/agencia.ts'
import { type HistoryEntry, historyOf } from '../../../resources/agencias/edit.ts'
import { inviteOperador, removeOperador } from '../../../resources/agencias/operadores.ts'
import { findPackage } from '../../../resources/agencias/packages.ts'
import { asociacionesOf, pendingOperadores } from '../../../resources/agencias/read.ts'
import { type AgenciaRecord, agenciaRecord, appsToAssociate } from '../../../resources/agencias/staff.ts'
import { listInvitaciones } from '../../../resources/agencias/staff-invitations.ts'
import { AGENCY_REFUSALS, AgencyData, OPERADOR_ROLES, PackageUse, pendingHint } from '../../agency.tsx'
import { serveConfirmation } from '../../confirm.tsx'
import { DangerLink, EMAIL_INPUT, Form } from '../../fields.tsx'
import { CONFIRMATION_FORM, formRoute, provenForm, textFields } from '../../form.ts'
import { Fields, type FormFields, type Refused } from '../../form-fields.tsx'
import { formatDay, Moment, type TimeContext } from '../../format.tsx'
import { serveList } from '../../list.tsx'
import { page } from '../../page.ts'
import { NamedRow, SecondaryLink, Section } from '../../parts.tsx'
import { type ById, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { type Column, Table } from '../../table.tsx'
import { CONSOLE, type ConsoleContext, ConsolePage, type ConsolePages, ModoBadge } from '../context.tsx'
import { AgencyApps, agenciaAppsRoutes } from './apps.tsx'
import { invitacionColumns, invitacionesRoutes } from './invitaciones.tsx'
import { AGENCIAS, AGENCIAS_LIST, agenciaAt, agenciaHref } from './list.tsx'
import { packageRoutes } from './package.tsx'

/** /consola/agencias: the dealerships, whatever app brought them. */
export function agenciasRoutes(app: ConsolePages, deps: PageDeps): void {
  serveList(app, '/agencias', deps, AGENCIAS_LIST)

  app.get<ById>('/agencias/:id', async ({ ctx, params }, reply) => {
    const agencia = await agenciaAt(deps, params.id)
    await ctx.audit('agencia.leer', agencia.adminMail)
    return page(reply, agenciaPage({ ctx, ...(await agenciaView(deps, agencia)) }))
  })

  packageRoutes(app, deps)
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
      const { kind } = await inviteOperador(deps, { agencia, email: given.Email, rol: 'administrador' })
      if (kind !== 'invited') {
        const replacement = { given, errors: { Email: [REFUSALS[kind]] } }
        return page(reply, agenciaPage({ ctx, ...(await agenciaView(deps, agencia)), replacement }), 400)
      }
      await ctx.audit('agencia.administrador', agencia.adminMail)
      return redirectWithNotice(reply, 'agencia-reemplazo', `${agenciaHref(agencia)}#personas`)
    },
  )

  serveConfirmation(app, '/agencias/:id/personas/:accountId/quitar', {
    audience: CONSOLE,
    section: AGENCIAS,
    load: async ({ id, accountId }: { id: string; accountId: string }) => {
      const agencia = await agenciaAt(deps, id)
      const operador = agencia.operadores.find((each) => String(each.accountId) === accountId)
      // The administrator is replaced, not removed.
      if (operador?.rol !== 'vendedor') throw notFound('Esa persona no colabora en la agencia.')
      return { agencia, operador }
    },
    parentLink: ({ agencia }) => ({ href: agenciaHref(agencia), label: agencia.nombre }),
    question: ({ operador }) => ({
      title: `¿Quitar a ${fullName(operador)}?`,
      button: 'Sí, quitar',
      consequences: [
        'Deja de ver las consultas y los avisos de la agencia, y sus sesiones se cierran.',
        'Las consultas que tiene a cargo siguen a su nombre; las ve quien administra.',
        'Las apps reciben agencia.modificada.',
      ],
    }),
    act: async ({ agencia, operador: { accountId } }, ctx) => {
      if (!(await removeOperador(deps, agencia, accountId))) throw notFound()
      await ctx.audit('agencia.quitar-persona', agencia.adminMail, { cuenta: accountId })
    },
    form: provenForm(CONFIRMATION_FORM),
    notice: 'agencia-operador-quitado',
    next: ({ agencia }) => `${agenciaHref(agencia)}#personas`,
  })
}

const REFUSALS = labels({
  invalid: 'consola.agency.admin.invalid',
  already: 'consola.agency.admin.already',
  ...AGENCY_REFUSALS,
})

const LAST_CHANGES = 20
const LAST_INVITATIONS = 20

async function agenciaView({ store, config }: PageDeps, agencia: Agencia) {
  const { id } = agencia
  const [record, contracted, asociaciones, apps, invitaciones, pending, history] = await Promise.all([
    agenciaRecord(store, id),
    findPackage(store, id, config.timeZone),
    asociacionesOf(store, id),
    appsToAssociate(store, agencia),
    listInvitaciones(store, { agencia }, { limit: LAST_INVITATIONS }),
    pendingOperadores(store, id),
    historyOf(store, id, LAST_CHANGES),
  ])
  if (!record) throw notFound('No hay una agencia así.')
  const view = { agencia, record, contracted, asociaciones, apps, pending, history }
  return { ...view, invitaciones: invitaciones.rows, country: config.country }
}

type AgenciaView = Awaited<ReturnType<typeof agenciaView>>
type Props = AgenciaView & { ctx: ConsoleContext; replacement?: Refused | undefined }

export function agenciaPage({ ctx, replacement, ...view }: Props) {
  const { agencia, record, contracted } = view
  return (
    <ConsolePage
      ctx={ctx}
      title={agencia.nombre}
      section={AGENCIAS}
      parentLink={{ href: AGENCIAS, label: 'Agencias' }}
      faulty={replacement !== undefined}
      intro={
        <p class="facts">
          <ModoBadge modo={agencia.modo} />
          <span class="anywhere">{agencia.adminMail}</span>
          <span>
            Desde: <Moment at={record.creada} when={ctx} />
          </span>
        </p>
      }
    >
      <PageLinks adminMail={agencia.adminMail} />
      <div class="with-side even">
        <Section title="Datos">
          <AgencyData agencia={agencia} country={view.country} />
          <Former antes={record.antes} timeZone={ctx.timeZone} />
        </Section>
        <Section id="paquete" title="Paquete">
          {contracted.nombre === null ? (
            <p class="empty">No tiene un paquete: mientras no lo tenga, sus avisos no se muestran.</p>
          ) : (
            <PackageUse contracted={contracted} />
          )}
          <p>
            <SecondaryLink href={`${agenciaHref(agencia)}/paquete`}>
              {contracted.nombre === null ? 'Contratar un paquete' : 'Cambiar el paquete'}
            </SecondaryLink>
          </p>
        </Section>
      </div>
      <AgencyApps agencia={agencia} asociaciones={view.asociaciones} apps={view.apps} timeZone={ctx.timeZone} />
      <AgencyPeople agencia={agencia} pending={view.pending} replacement={replacement} />
      <Section id="invitaciones" title="Invitaciones">
        <Table
          caption="Invitaciones"
          columns={invitacionColumns(ctx, agenciaHref(agencia))}
          rows={view.invitaciones}
          empty={<p>Ninguna app invitó a esta dirección.</p>}
        />
      </Section>
      <Section id="historia" title="Cambios">
        <Table
          caption="Cambios de los datos"
          columns={historyColumns(view.country, ctx)}
          rows={view.history}
          empty={<p>Nadie cambió sus datos desde que se registró.</p>}
        />
      </Section>
    </ConsolePage>
  )
}

const PageLinks = ({ adminMail }: { adminMail: string }) => (
  <p class="row page-links">
    <SecondaryLink href={withQuery('/consola/consultas', { agencia: adminMail })}>Consultas</SecondaryLink>
    <SecondaryLink href={withQuery('/consola/publicaciones', { agencia: adminMail })}>Avisos</SecondaryLink>
    <SecondaryLink href={withQuery('/consola/entregas', { q: adminMail })}>Entregas</SecondaryLink>
    <SecondaryLink href={withQuery('/consola/correos', { para: adminMail })}>Correos</SecondaryLink>
  </p>
)

const Former = ({ antes, timeZone }: { antes: AgenciaRecord['antes']; timeZone: string }) =>
  antes.length === 0 ? null : (
    <p class="hint">
      Direcciones anteriores, que todavía responden:{' '}
      {antes
        .map(({ adminMail, hasta }) => `${adminMail} (hasta el ${formatDay(new Date(hasta), timeZone)})`)
        .join(', ')}
    </p>
  )

const historyColumns = (country: string, when: TimeContext): Column<HistoryEntry>[] => [
  { head: 'Cuándo', cell: ({ at }) => <Moment at={at} when={when} /> },
  { head: 'Quién', cell: ({ app, person }) => app ?? (person ? fullName(person) : 'El mercado') },
  {
    head: 'Qué',
    cell: ({ changes }) => (
      <ul class="plain-list">
        {changes.map(({ campo, antes, despues }) => (
          <li key={campo}>
            {formatCampo(campo, country)}: <del>{antes ?? 'nada'}</del> → <ins>{despues ?? 'nada'}</ins>
          </li>
        ))}
      </ul>
    ),
  },
]

const ADMINISTRATOR: FormFields = {
  Email: { label: 'Correo de la persona', more: { ...EMAIL_INPUT, autocomplete: 'off', maxlength: 50 } },
}

const AgencyPeople = ({ agencia, pending, replacement }: Pick<Props, 'agencia' | 'pending' | 'replacement'>) => (
  <Section id="personas" title="Personas">
    <ul class="rows">
      {agencia.operadores.map((operador) => (
        <NamedRow
          key={operador.accountId}
          name={fullName(operador)}
          hint={operador.email}
          badge={OPERADOR_ROLES[operador.rol]}
        >
          {operador.rol !== 'administrador' && (
            <DangerLink
              href={`${agenciaHref(agencia)}/personas/${operador.accountId}/quitar`}
              label="Quitar"
              to={`a ${fullName(operador)}`}
            />
          )}
        </NamedRow>
      ))}
      {pending.map(({ accountId, email, rol }) => (
        <NamedRow key={`${accountId}-${rol}`} name={email} hint={pendingHint(rol)} />
      ))}
    </ul>
    <details open={replacement !== undefined}>
      <summary>Poner a otra persona como administrador</summary>
      <Form action={`${agenciaHref(agencia)}/administrador`} errors={replacement?.errors} button="Enviar el enlace">
        <ul>
          <li>Le enviamos un enlace. Nada cambia hasta que lo acepte.</li>
          <li>Desde entonces su correo es el de la agencia; el de hoy les sirve a las apps 90 días más.</li>
          <li>Quien administra hoy deja de ver la agencia, y recibe un aviso.</li>
        </ul>
        <Fields fields={ADMINISTRATOR} {...replacement} />
      </Form>
    </details>
  </Section>
)
