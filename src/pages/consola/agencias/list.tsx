import type { Modo } from '../../../apps/app.ts'
import { findApp } from '../../../apps/store.ts'
import { currentLanguage } from '../../../i18n/locale.ts'
import { message, rich, t } from '../../../i18n/messages.tsx'
import { type Agencia, formatCampo } from '../../../resources/agencias/agencia.ts'
import type { PaqueteEstado } from '../../../resources/agencias/paquetes.ts'
import { findAgenciaById } from '../../../resources/agencias/read.ts'
import { listAgenciasForStaff } from '../../../resources/agencias/staff.ts'
import { PAQUETE_BADGES } from '../../agency.tsx'
import { hiddenFilter, searchFilter, selectFilter } from '../../filter.tsx'
import { formatPlace } from '../../format.tsx'
import { defineList, isByName, nameOrders, numberedPage, timeOrders } from '../../list.tsx'
import { idIn, requireFound } from '../../params.ts'
import { SecondaryLink } from '../../parts.tsx'
import type { PageDeps } from '../../signed-in.ts'
import { type Column, column, momentColumn, RowLink } from '../../table.tsx'
import { CONSOLE, ModoBadge, modos } from '../context.tsx'

export const AGENCIAS = '/consola/agencias'
export const INVITACIONES = `${AGENCIAS}/invitaciones`

export const consolaAgenciaHref = ({ id }: { id: number }): string => `${AGENCIAS}/${id}`

/** Any agency, by its number; 404 where there is none. */
export const agenciaAt = async ({ store }: PageDeps, id: string): Promise<Agencia> =>
  requireFound(await findAgenciaById(store, idIn(id)), message('consola.agencies.noSuch'))

const PAQUETES = ['vigente', 'vencido', 'sin-contratar'] as const satisfies readonly PaqueteEstado[]

/** The agency of a row, with its mode where that is not production. */
export const agenciaColumn = <
  Row extends { agencia: { id: number; nombre: string; adminMail: string }; modo: Modo },
>(): Column<Row> => ({
  head: t('consola.head.agency'),
  cell: ({ agencia, modo }) => (
    <span class="row tight">
      <a href={consolaAgenciaHref(agencia)}>{agencia.nombre}</a>
      {modo === 'prueba' && <ModoBadge modo={modo} />}
    </span>
  ),
  text: ({ agencia }) => agencia.adminMail,
})

export const AGENCIAS_LIST = defineList(() => ({
  audience: CONSOLE,
  section: AGENCIAS,
  title: t('consola.agencies.title'),
  actions: <SecondaryLink href={INVITACIONES}>{t('consola.agencies.invitations')}</SecondaryLink>,
  filters: {
    q: searchFilter(
      t('consola.agencies.search'),
      t('consola.agencies.search.hint', { taxId: formatCampo('IdFiscal', currentLanguage().country) }),
    ),
    modo: selectFilter(t('consola.head.mode'), t('consola.filter.all.m'), modos()),
    paquete: selectFilter(
      t('consola.package.title'),
      t('consola.filter.all.m'),
      PAQUETES.map((estado) => [estado, t(`consola.agencies.package.${estado}`)] as const),
    ),
    app: hiddenFilter(),
  },
  orders: [...timeOrders(), ...nameOrders()],
  load: async ({ store, config }, request) => {
    const { app: appKey, ...filters } = request.filters
    const app = appKey ? await findApp(store, appKey) : undefined
    const search = { ...filters, appId: appKey ? (app?.id ?? 0) : undefined, byName: isByName(request) }
    const found = await numberedPage(request, (cursor) => listAgenciasForStaff(store, search, config.timeZone, cursor))
    return { ...found, app }
  },
  // Without the text, which may be a person's name or address.
  audit: ({ filters: { q, modo, paquete }, found }) => ({
    act: 'agencias.listar',
    detail: { modo, paquete, porTexto: q !== undefined, agencias: found.rows.length },
  }),
  intro: ({ found: { app } }) =>
    app && (
      <p>
        {rich('consola.agencies.ofApp', {
          name: app.nombre,
          app: (text) => <a href={`/consola/apps/${app.appKey}`}>{text}</a>,
          all: (text) => <a href={AGENCIAS}>{text}</a>,
        })}
      </p>
    ),
  columns: (ctx) => [
    { head: t('consola.head.email'), text: ({ adminMail }) => adminMail },
    {
      ...column(t('consola.head.agency'), 'nombre', (nombre, agencia) => (
        <span class="named">
          <RowLink href={consolaAgenciaHref(agencia)}>
            <strong>{nombre}</strong>
          </RowLink>{' '}
          {agencia.modo === 'prueba' && <ModoBadge modo={agencia.modo} />}
          <span class="hint below anywhere">{agencia.adminMail}</span>
        </span>
      )),
      sort: 'nombre',
    },
    {
      head: t('consola.agencies.place'),
      cell: ({ ciudad, region }) => formatPlace(ciudad, region) || '–',
      text: ({ ciudad, region }) => [ciudad, region].filter(Boolean).join(', '),
    },
    column(formatCampo('IdFiscal', ctx.country), 'idFiscal', (id) => <span class="nowrap">{id ?? '–'}</span>),
    { head: t('consola.head.mode'), text: ({ modo }) => modo },
    column(t('consola.package.title'), 'paquete', (estado) => (
      <span class={PAQUETE_BADGES[estado]}>{t(`consola.agencies.package.${estado}`).toLowerCase()}</span>
    )),
    { head: t('consola.nav.apps'), number: true, value: ({ apps }) => apps },
    { ...momentColumn(t('consola.head.since'), ctx, ({ creada }) => creada), sort: 'fecha' },
  ],
  empty: {
    none: rich('consola.agencies.none', { link: (text) => <a href={INVITACIONES}>{text}</a> }),
    noMatch: t('consola.agencies.noMatch'),
    all: t('consola.filter.seeAll.f'),
  },
}))
