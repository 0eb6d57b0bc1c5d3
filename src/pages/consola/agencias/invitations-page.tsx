import type { ComponentChildren } from 'preact'
import type { InvitacionEstado } from '../../../resources/agencias/agencia.ts'
import { ESTADOS_INVITACION, type ListedInvitacion } from '../../../resources/agencias/invitations.ts'
import type { ResultPage } from '../../../store/keyset.ts'
import { FilterField, FilterSelect } from '../../filter.tsx'
import { Moment, type When } from '../../moment.tsx'
import { pageLinks } from '../../params.ts'
import { type Column, Pager, Search, Table } from '../../table.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { ModoBadge } from '../modo.tsx'
import { AGENCIAS, agenciaHref, INVITACIONES, InvitacionBadge } from './parts.tsx'

export interface InvitacionesFilters {
  mail?: string | undefined
  app?: string | undefined
  estado?: InvitacionEstado | undefined
}

interface Props {
  ctx: ConsoleContext
  filters: InvitacionesFilters
  apps: readonly { appKey: string; nombre: string }[]
  found: ResultPage<ListedInvitacion>
}

/** Whom apps invited, and what came of it. */
export const invitacionesPage = ({ ctx, filters, apps, found }: Props) => (
  <ConsolePage
    ctx={ctx}
    title="Invitaciones"
    current={AGENCIAS}
    above={{ href: AGENCIAS, label: 'Agencias' }}
    lead={<p>Lo que enviaron las apps. Duran 14 días; a una dirección se le escribe hasta tres veces en 24 horas.</p>}
  >
    <Search action={INVITACIONES}>
      <FilterField name="mail" label="Correo" value={filters.mail} more={{ type: 'search' }} />
      <FilterSelect
        name="app"
        label="App"
        value={filters.app}
        all="Todas"
        choices={apps.map(({ appKey, nombre }) => [appKey, nombre] as const)}
      />
      <FilterSelect name="estado" label="Estado" value={filters.estado} all="Todos" choices={ESTADOS_INVITACION} />
    </Search>
    <Invitaciones
      rows={found.rows}
      when={ctx}
      back={INVITACIONES}
      empty={
        Object.values(filters).some(Boolean) ? (
          <p>
            No hay invitaciones así. <a href={INVITACIONES}>Ver todas</a>
          </p>
        ) : (
          <p>Ninguna app invitó todavía a nadie.</p>
        )
      }
    />
    <Pager {...pageLinks(INVITACIONES, { ...filters }, found, ({ id }) => id)} />
  </ConsolePage>
)

interface InvitacionesProps {
  rows: ListedInvitacion[]
  when: When
  /** The page to come back to after an act: a list, or an agency. */
  back: string
  empty: ComponentChildren
}

/** Invitations with what can be done about each. */
export const Invitaciones = ({ rows, when, back, empty }: InvitacionesProps) => (
  <Table
    caption="Invitaciones"
    columns={[...invitacionColumns(when), actColumn(back)]}
    rows={rows}
    keyOf={({ id }) => id}
    empty={empty}
  />
)

export const invitacionColumns = (when: When): Column<ListedInvitacion>[] => [
  {
    head: 'A quién',
    cell: ({ adminMail, nombre, agenciaId }) => (
      <span>
        <span class="anywhere">
          {agenciaId === null ? adminMail : <a href={agenciaHref({ id: agenciaId })}>{adminMail}</a>}
        </span>
        {nombre && <span class="hint below">{nombre}</span>}
      </span>
    ),
    text: ({ adminMail }) => adminMail,
  },
  {
    head: 'App',
    cell: ({ app, modo }) => (
      <span class="row tight">
        <a href={`/consola/apps/${app.appKey}`}>{app.nombre}</a>
        {modo === 'prueba' && <ModoBadge modo={modo} />}
      </span>
    ),
    text: ({ app }) => app.nombre,
  },
  { head: 'Estado', cell: ({ estado }) => <InvitacionBadge estado={estado} />, text: ({ estado }) => estado },
  { head: 'Enviada', cell: ({ enviada }) => <Moment at={enviada} when={when} />, text: ({ enviada }) => enviada },
  { head: 'Vence', cell: ({ vence }) => <Moment at={vence} when={when} />, text: ({ vence }) => vence },
]

const OPEN: readonly InvitacionEstado[] = ['pendiente', 'vencida', 'rebotada']

const actColumn = (back: string): Column<ListedInvitacion> => ({
  head: 'Acción',
  cell: ({ id, estado, adminMail }) =>
    OPEN.includes(estado) ? (
      <span class="row tight">
        <Act path={`${INVITACIONES}/${id}/reenviar`} back={back} label="Reenviar" of={adminMail} />
        <Act path={`${INVITACIONES}/${id}/revocar`} back={back} label="Revocar" of={adminMail} />
      </span>
    ) : null,
})

const Act = ({ path, back, label, of }: { path: string; back: string; label: string; of: string }) => (
  <form method="post" action={path}>
    <input type="hidden" name="Volver" value={back} />
    <button type="submit" class="secondary small">
      {label}
      <span class="visually-hidden"> la invitación a {of}</span>
    </button>
  </form>
)
