import { withQuery } from '../../../http/links.ts'
import type { Agencia, Asociacion } from '../../../resources/agencias/agencia.ts'
import type { HistoryEntry } from '../../../resources/agencias/edit.ts'
import type { ListedInvitacion } from '../../../resources/agencias/invitations.ts'
import type { PackageToday } from '../../../resources/agencias/packages.ts'
import type { AgenciaRecord } from '../../../resources/agencias/staff.ts'
import { AgencyData, PackageUse } from '../../agency.tsx'
import { formatDay, Moment } from '../../format.tsx'
import { Table } from '../../table.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { ModoBadge } from '../modo.tsx'
import { AgencyApps } from './apps.tsx'
import { History } from './history.tsx'
import { invitacionColumns } from './invitaciones-list.tsx'
import { AGENCIAS, agenciaHref } from './parts.tsx'
import { AgencyPeople, type PendingOperador } from './people.tsx'

/** All that staff sees of one agency. */
export interface AgenciaView {
  agencia: Agencia
  beginnings: AgenciaRecord
  contracted: PackageToday
  asociaciones: Asociacion[]
  /** What it could be associated with. */
  apps: { appKey: string; nombre: string }[]
  invitaciones: ListedInvitacion[]
  pending: PendingOperador[]
  history: HistoryEntry[]
  country: string
}

interface Props extends AgenciaView {
  ctx: ConsoleContext
  /** What was wrong with the mail of who is to administer it. */
  replacement?: { email: string; error: string } | undefined
}

/** One agency: what it says of itself, what it contracted, who works there and with what. */
export function agenciaPage({ ctx, replacement, ...view }: Props) {
  const { agencia, beginnings, contracted } = view
  return (
    <ConsolePage
      ctx={ctx}
      title={agencia.nombre}
      section={AGENCIAS}
      above={{ href: AGENCIAS, label: 'Agencias' }}
      faulty={replacement !== undefined}
      lead={
        <p class="facts">
          <ModoBadge modo={agencia.modo} />
          <span class="anywhere">{agencia.adminMail}</span>
          <span>
            Desde: <Moment at={beginnings.creada} when={ctx} />
          </span>
        </p>
      }
    >
      <PageLinks agencia={agencia} />
      <div class="with-side even">
        <section>
          <h2>Datos</h2>
          <AgencyData agencia={agencia} country={view.country} />
          <Former beginnings={beginnings} timeZone={ctx.timeZone} />
        </section>
        <section id="paquete">
          <h2>Paquete</h2>
          {contracted.nombre === null ? (
            <p class="empty">No tiene un paquete: mientras no lo tenga, sus avisos no se muestran.</p>
          ) : (
            <PackageUse contracted={contracted} />
          )}
          <p>
            <a class="button secondary" href={`${agenciaHref(agencia)}/paquete`}>
              {contracted.nombre === null ? 'Contratar un paquete' : 'Cambiar el paquete'}
            </a>
          </p>
        </section>
      </div>
      <AgencyApps agencia={agencia} asociaciones={view.asociaciones} apps={view.apps} timeZone={ctx.timeZone} />
      <AgencyPeople agencia={agencia} pending={view.pending} replacement={replacement} />
      <section id="invitaciones">
        <h2>Invitaciones</h2>
        <Table
          caption="Invitaciones"
          columns={invitacionColumns(ctx, agenciaHref(agencia))}
          rows={view.invitaciones}
          keyOf={({ id }) => id}
          empty={<p>Ninguna app invitó a esta dirección.</p>}
        />
      </section>
      <History history={view.history} country={view.country} when={ctx} />
    </ConsolePage>
  )
}

/** The lists that hold what is this agency's. */
function PageLinks({ agencia }: { agencia: Agencia }) {
  const ways = [
    ['Consultas', withQuery('/consola/consultas', { agencia: agencia.adminMail })],
    ['Avisos', withQuery('/consola/publicaciones', { agencia: agencia.adminMail })],
    ['Entregas', withQuery('/consola/entregas', { q: agencia.adminMail })],
    ['Correos', withQuery('/consola/correos', { para: agencia.adminMail })],
  ] as const
  return (
    <p class="row ways">
      {ways.map(([label, href]) => (
        <a key={label} class="button secondary" href={href}>
          {label}
        </a>
      ))}
    </p>
  )
}

const Former = ({ beginnings: { antes }, timeZone }: { beginnings: AgenciaRecord; timeZone: string }) =>
  antes.length === 0 ? null : (
    <p class="hint">
      Direcciones anteriores, que todavía responden:{' '}
      {antes
        .map(({ adminMail, hasta }) => `${adminMail} (hasta el ${formatDay(new Date(hasta), timeZone)})`)
        .join(', ')}
    </p>
  )
