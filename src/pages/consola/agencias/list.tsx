import { findApp } from '../../../apps/store.ts'
import { listAgenciasForStaff } from '../../../resources/agencias/staff.ts'
import { hiddenFilter, searchFilter, selectFilter } from '../../filter.tsx'
import { defineList, numberedPage } from '../../list.tsx'
import { SecondaryLink } from '../../parts.tsx'
import { momentColumn } from '../../table.tsx'
import { CONSOLE, MODOS, ModoBadge } from '../context.tsx'
import { AGENCIAS, agenciaHref, INVITACIONES, PAQUETES, PaqueteBadge } from './parts.tsx'

/** The dealerships of both modes. */
export const AGENCIAS_LIST = defineList({
  audience: CONSOLE,
  section: AGENCIAS,
  title: 'Agencias',
  acts: <SecondaryLink href={INVITACIONES}>Invitaciones</SecondaryLink>,
  filters: {
    q: searchFilter('Buscar', 'Nombre, correo, CUIT o ciudad'),
    modo: selectFilter('Modo', 'Todos', MODOS),
    paquete: selectFilter('Paquete', 'Todos', PAQUETES),
    app: hiddenFilter,
  },
  load: async ({ store, config }, request) => {
    const { app: appKey, ...filters } = request.filters
    const app = appKey ? await findApp(store, appKey) : undefined
    const wanted = { ...filters, appId: appKey ? (app?.id ?? 0) : undefined }
    const found = await numberedPage(request, (cursor) => listAgenciasForStaff(store, wanted, config.timeZone, cursor))
    return { ...found, app }
  },
  // Without the text, which may be a person's name or address.
  audit: ({ filters: { q, modo, paquete }, found }) => ({
    act: 'agencias.listar',
    detail: { modo, paquete, porTexto: q !== undefined, agencias: found.rows.length },
  }),
  lead: ({ found: { app } }) =>
    app ? (
      <p>
        Las que trabajan con <a href={`/consola/apps/${app.appKey}`}>{app.nombre}</a>. <a href={AGENCIAS}>Ver todas</a>
      </p>
    ) : (
      <p>Las más nuevas primero.</p>
    ),
  idOf: ({ id }) => id,
  columns: (ctx) => [
    { head: 'Correo', text: ({ adminMail }) => adminMail },
    {
      head: 'Agencia',
      cell: (agencia) => (
        <span class="named">
          <a href={agenciaHref(agencia)}>
            <strong>{agencia.nombre}</strong>
          </a>
          <span class="hint below anywhere">{agencia.adminMail}</span>
        </span>
      ),
      text: ({ nombre }) => nombre,
    },
    {
      head: 'Lugar',
      cell: ({ ciudad, region }) => [ciudad, region].filter(Boolean).join(', ') || '—',
      text: ({ ciudad, region }) => [ciudad, region].filter(Boolean).join(', '),
    },
    {
      head: 'CUIT',
      cell: ({ idFiscal }) => <span class="nowrap">{idFiscal ?? '—'}</span>,
      text: ({ idFiscal }) => idFiscal,
    },
    { head: 'Modo', cell: ({ modo }) => <ModoBadge modo={modo} />, text: ({ modo }) => modo },
    { head: 'Paquete', cell: ({ paquete }) => <PaqueteBadge estado={paquete} />, text: ({ paquete }) => paquete },
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
  csvName: 'agencias',
})
