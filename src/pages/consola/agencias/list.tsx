import type { Modo } from '../../../apps/app.ts'
import { findApp } from '../../../apps/store.ts'
import { notFound } from '../../../http/problems.ts'
import type { Agencia } from '../../../resources/agencias/agencia.ts'
import type { PackageEstado } from '../../../resources/agencias/packages.ts'
import { findAgenciaById } from '../../../resources/agencias/read.ts'
import { listAgenciasForStaff } from '../../../resources/agencias/staff.ts'
import { hiddenFilter, searchFilter, selectFilter } from '../../filter.tsx'
import { defineList, numberedPage } from '../../list.tsx'
import { SecondaryLink } from '../../parts.tsx'
import type { PageDeps } from '../../signed-in.ts'
import { type Column, column, momentColumn } from '../../table.tsx'
import { CONSOLE, MODOS, ModoBadge, modoColumn } from '../context.tsx'

export const AGENCIAS = '/consola/agencias'
export const INVITACIONES = `${AGENCIAS}/invitaciones`

export const agenciaHref = ({ id }: { id: number }): string => `${AGENCIAS}/${id}`

/** Any agency, by its number; 404 where there is none. */
export async function agenciaAt({ store }: PageDeps, id: string): Promise<Agencia> {
  const agencia = /^\d{1,9}$/.test(id) ? await findAgenciaById(store, Number(id)) : undefined
  if (!agencia) throw notFound('No hay una agencia así.')
  return agencia
}

const PAQUETES = [
  ['vigente', 'Vigente'],
  ['vencido', 'Vencido'],
  ['sin-contratar', 'Sin contratar'],
] as const satisfies readonly (readonly [PackageEstado, string])[]

const PAQUETE_TONES: Record<PackageEstado, string> = { vigente: 'ok', vencido: 'error', 'sin-contratar': '' }

const PaqueteBadge = ({ estado }: { estado: PackageEstado }) => (
  <span class={`badge ${PAQUETE_TONES[estado]}`}>{PAQUETES.find(([name]) => name === estado)?.[1].toLowerCase()}</span>
)

/** The agency of a row, with its mode where that is not production. */
export const agenciaColumn = <
  Row extends { agencia: { id: number; nombre: string; adminMail: string }; modo: Modo },
>(): Column<Row> => ({
  head: 'Agencia',
  cell: ({ agencia, modo }) => (
    <span class="row tight">
      <a href={agenciaHref(agencia)}>{agencia.nombre}</a>
      {modo === 'prueba' && <ModoBadge modo={modo} />}
    </span>
  ),
  text: ({ agencia }) => agencia.adminMail,
})

export const AGENCIAS_LIST = defineList({
  audience: CONSOLE,
  section: AGENCIAS,
  title: 'Agencias',
  actions: <SecondaryLink href={INVITACIONES}>Invitaciones</SecondaryLink>,
  filters: {
    q: searchFilter('Buscar', 'Nombre, correo, CUIT o ciudad'),
    modo: selectFilter('Modo', 'Todos', MODOS),
    paquete: selectFilter('Paquete', 'Todos', PAQUETES),
    app: hiddenFilter,
  },
  load: async ({ store, config }, request) => {
    const { app: appKey, ...filters } = request.filters
    const app = appKey ? await findApp(store, appKey) : undefined
    const search = { ...filters, appId: appKey ? (app?.id ?? 0) : undefined }
    const found = await numberedPage(request, (cursor) => listAgenciasForStaff(store, search, config.timeZone, cursor))
    return { ...found, app }
  },
  // Without the text, which may be a person's name or address.
  audit: ({ filters: { q, modo, paquete }, found }) => ({
    act: 'agencias.listar',
    detail: { modo, paquete, porTexto: q !== undefined, agencias: found.rows.length },
  }),
  intro: ({ found: { app } }) =>
    app ? (
      <p>
        Las que trabajan con <a href={`/consola/apps/${app.appKey}`}>{app.nombre}</a>. <a href={AGENCIAS}>Ver todas</a>
      </p>
    ) : (
      <p>Las más nuevas primero.</p>
    ),
  columns: (ctx) => [
    { head: 'Correo', text: ({ adminMail }) => adminMail },
    column('Agencia', 'nombre', (nombre, agencia) => (
      <span class="named">
        <a href={agenciaHref(agencia)}>
          <strong>{nombre}</strong>
        </a>
        <span class="hint below anywhere">{agencia.adminMail}</span>
      </span>
    )),
    {
      head: 'Lugar',
      cell: ({ ciudad, region }) => [ciudad, region].filter(Boolean).join(', ') || '—',
      text: ({ ciudad, region }) => [ciudad, region].filter(Boolean).join(', '),
    },
    column('CUIT', 'idFiscal', (id) => <span class="nowrap">{id ?? '—'}</span>),
    modoColumn(),
    column('Paquete', 'paquete', (paquete) => <PaqueteBadge estado={paquete} />),
    { head: 'Apps', number: true, value: ({ apps }) => apps },
    momentColumn('Desde', ctx, ({ creada }) => creada),
  ],
  empty: {
    none: (
      <>
        Todavía no hay agencias. Llegan por la invitación de una app: vea las <a href={INVITACIONES}>invitaciones</a>.
      </>
    ),
    noMatch: 'No hay agencias así.',
    all: 'Ver todas',
  },
})
