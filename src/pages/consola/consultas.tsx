import { findApp } from '../../apps/store.ts'
import { notFound } from '../../http/problems.ts'
import { agenciasWithMail } from '../../resources/agencias/staff.ts'
import { autoOf, type Consulta, interesadoOf } from '../../resources/consultas/consulta.ts'
import { formatOperation, money } from '../../resources/consultas/labels.ts'
import { type ConsultaWithAgencia, findBySid } from '../../resources/consultas/read.ts'
import { resendConsulta } from '../../resources/consultas/resend.ts'
import {
  appsThatSee,
  listConsultasForStaff,
  type Notification,
  notificationsOf,
} from '../../resources/consultas/staff.ts'
import { isUlid, momentOf } from '../../ulid.ts'
import { idsOf } from '../entregas/filters.tsx'
import { EstadoBadge as DeliveryBadge } from '../entregas/list.tsx'
import { dayFilter, type Filter, textFilter } from '../filter.tsx'
import { CONFIRMATION_FORM, textField } from '../form.ts'
import { formatNumber, Moment } from '../format.tsx'
import { consultaCar, consultaFacts, EstadoBadge, INTERES_LABELS, ORIGEN_LABELS, personName } from '../labels.tsx'
import { defineList, orderedPage, serveList } from '../list.tsx'
import { page } from '../page.ts'
import { textParam } from '../params.ts'
import { type Fact, Facts, PostButton, Section } from '../parts.tsx'
import { type BySid, type PageDeps, redirectWithNotice } from '../signed-in.ts'
import { type Column, column, momentColumn, Table } from '../table.tsx'
import { carOf, WithThumbnail } from '../thumbnail.tsx'
import { agenciaColumn, agenciaHref } from './agencias/list.tsx'
import { CONSOLE, type ConsoleContext, ConsolePage, type ConsolePages, ModoBadge, throwConflict } from './context.tsx'

const CONSULTAS = '/consola/consultas'
const MAX_AUDITED = 100

export const consultaHref = ({ sid }: { sid: string }): string => `${CONSULTAS}/${sid}`

const sidFilter: Filter<string> = {
  ...textFilter('sid', { spellcheck: false }),
  parse: (query, name) => textParam(query, name)?.toUpperCase(),
}

/** The inquiries of all agencies. The person is shown only by opening one, which the audit log keeps. */
const CONSULTAS_LIST = defineList({
  audience: CONSOLE,
  section: CONSULTAS,
  title: 'Consultas',
  intro: 'Quién pregunta se ve al abrir una: cada lectura queda en la auditoría.',
  filters: {
    sid: sidFilter,
    persona: textFilter('Persona', { placeholder: 'Su correo o teléfono, completo' }),
    agencia: textFilter('Agencia', { placeholder: 'Su correo' }),
    desde: dayFilter('Desde'),
    hasta: dayFilter('Hasta'),
  },
  load: async ({ store, config: { timeZone } }, request) => {
    const { sid, persona, agencia, desde, hasta } = request.filters
    const search = {
      sid,
      persona,
      agencias: agencia === undefined ? undefined : await agenciasWithMail(store, agencia),
      ...idsOf(desde, hasta, timeZone),
    }
    return orderedPage(request, 'sid', (cursor) => listConsultasForStaff(store, search, cursor))
  },
  // A search for a person reads personal data: that these inquiries are theirs.
  audit: ({ filters, found }) =>
    filters.persona
      ? { act: 'consultas.buscar-persona', detail: { sids: found.rows.map(({ sid }) => sid).slice(0, MAX_AUDITED) } }
      : undefined,
  columns: (ctx) => [
    { head: 'sid', text: ({ sid }) => sid },
    { head: 'Modo', text: ({ modo }) => modo },
    {
      head: 'Auto',
      cell: (row) => (
        <WithThumbnail car={carOf(row)} ctx={ctx}>
          <a href={consultaHref(row)}>
            <strong>{consultaCar(row)}</strong>
          </a>
          {row.suprimida && <span class="hint below">datos suprimidos</span>}
          {row.repite && <span class="hint below">repite otra del mismo día</span>}
        </WithThumbnail>
      ),
      text: consultaCar,
    },
    agenciaColumn(),
    { head: 'Aviso de', value: ({ app }) => app ?? 'catálogo' },
    column('Llegó por', 'origenLead', (origen) => ORIGEN_LABELS[origen]),
    column('Estado', 'estado', (estado) => <EstadoBadge estado={estado} />),
    momentColumn('Cuándo', ctx, ({ sid }) => momentOf(sid)),
  ],
  empty: {
    none: 'Todavía no llegó ninguna consulta. Las entrega el sitio del mercado, o el formulario de cada aviso.',
    noMatch: 'No hay consultas así. El correo y el teléfono se buscan completos.',
    all: 'Ver todas',
  },
})

/** /consola/consultas: the inquiries of all agencies. */
export function consultasRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store } = deps

  serveList(app, '/consultas', deps, CONSULTAS_LIST)

  async function find(sid: string): Promise<ConsultaWithAgencia> {
    const found = isUlid(sid) ? await findBySid(store, sid) : undefined
    if (!found) throw notFound('No hay una consulta así.')
    return found
  }

  app.get<BySid>('/consultas/:sid', async ({ params, ctx }, reply) => {
    const found = await find(params.sid)
    const { consulta } = found
    await ctx.audit('consulta.leer', consulta.sid)
    const [deliveries, readers] = await Promise.all([notificationsOf(store, consulta), appsThatSee(store, consulta)])
    return page(reply, consultaPage({ ctx, found, deliveries, readers }))
  })

  app.post<BySid>('/consultas/:sid/reenviar', CONFIRMATION_FORM, async ({ ctx, params, form }, reply) => {
    const { consulta, agencia } = await find(params.sid)
    const to = await findApp(store, textField(form, 'App'))
    if (!to) throw notFound('No hay una app así.')
    const { sid } = consulta
    await resendConsulta(deps, to, { adminMail: agencia.adminMail, sid }).catch(throwConflict)
    await ctx.audit('consulta.reenviar', sid, { app: to.appKey })
    return redirectWithNotice(reply, 'consulta-reenviada', `${consultaHref(consulta)}#entregas`)
  })
}

interface Props {
  ctx: ConsoleContext
  found: ConsultaWithAgencia
  deliveries: Notification[]
  /** The apps that may read it today. */
  readers: { appKey: string; nombre: string }[]
}

function consultaPage({ ctx, found, deliveries, readers }: Props) {
  const { consulta, suprimida } = found
  return (
    <ConsolePage
      ctx={ctx}
      title={personName(consulta)}
      section={CONSULTAS}
      parentLink={{ href: CONSULTAS, label: 'Consultas' }}
      intro={
        <p class="facts">
          <EstadoBadge estado={consulta.estado} />
          <ModoBadge modo={consulta.modo} />
          <Moment at={momentOf(consulta.sid)} when={ctx} />
          <code class="select-all">{consulta.sid}</code>
        </p>
      }
    >
      {suprimida && <p class="empty">La persona pidió que se supriman sus datos. La consulta queda, sin ellos.</p>}
      {consulta.repite && (
        <p>
          Ya había preguntado por este auto:{' '}
          <a href={consultaHref({ sid: consulta.repite })}>ver la primera consulta</a>.
        </p>
      )}
      <div class="with-side even">
        <Section title="Quién pregunta">
          {suprimida ? <p>Sus datos se suprimieron.</p> : <Facts rows={personFacts(found)} />}
        </Section>
        <Section title="Por qué auto">
          <Facts rows={carFacts(found)} />
        </Section>
      </div>
      <Deliveries {...{ consulta, deliveries, readers }} />
    </ConsolePage>
  )
}

function personFacts({ consulta }: ConsultaWithAgencia): Fact[] {
  const person = interesadoOf(consulta)
  return [
    ['Nombre', [person.Nombre, person.Apellido].filter(Boolean).join(' ')],
    ['Correo', person.Email],
    ['Teléfono', person.Telefono],
    ['Documento', person.DocIdentidad],
    ['Vive en', [person.Ciudad, person.Provincia].filter(Boolean).join(', ')],
    ['Le interesa', person.Interes && INTERES_LABELS[person.Interes]],
    ['Escribió', person.Comentario],
    ...formatOperation(person.InfoOperacion),
  ]
}

function carFacts({ consulta, agencia }: ConsultaWithAgencia): Fact[] {
  const auto = autoOf(consulta)
  return [
    ['Auto', consultaCar(consulta)],
    ['Precio', auto.Precio && money(auto.Precio)],
    ['Kilómetros', auto.Kilometraje === null ? null : formatNumber(auto.Kilometraje)],
    ['ExternalId', auto.ExternalId],
    ['De dónde', consulta.tipoAnuncio === 'catalogo' ? 'Un modelo del catálogo' : 'Un aviso'],
    ['Agencia', <a href={agenciaHref({ id: consulta.agenciaId })}>{agencia.nombre}</a>],
    ...consultaFacts(consulta),
  ]
}

type DeliveriesProps = Pick<Props, 'deliveries' | 'readers'> & { consulta: Consulta }

function Deliveries({ consulta, deliveries, readers }: DeliveriesProps) {
  const neverNotified = readers.filter(({ appKey }) => !deliveries.some(({ app }) => app.appKey === appKey))
  return (
    <Section id="entregas" title="A qué apps se avisó">
      <Table
        caption="Entregas de la consulta"
        columns={deliveryColumns(consulta, readers)}
        rows={deliveries}
        empty={<p>A ninguna: cuando llegó, ninguna app veía esta consulta.</p>}
      />
      {neverNotified.map((app) => (
        <div key={app.appKey} class="row">
          <span>{app.nombre} la ve hoy, y nunca se le avisó.</span>
          <Resend consulta={consulta} app={app} label="Avisar" />
        </div>
      ))}
    </Section>
  )
}

const deliveryColumns = (consulta: Consulta, readers: Props['readers']): Column<Notification>[] => [
  { head: 'App', cell: ({ app }) => <a href={`/consola/apps/${app.appKey}`}>{app.nombre}</a> },
  {
    head: 'Qué',
    cell: ({ evento, topic, estado }) => (estado ? <a href={`/consola/entregas/${evento}`}>{topic}</a> : topic),
  },
  { head: 'Entrega', cell: ({ estado }) => (estado ? <DeliveryBadge estado={estado} /> : 'sin webhook') },
  { head: 'Intentos', number: true, cell: ({ intentos }) => intentos },
  { head: 'Respuesta', cell: ({ status, error }) => error ?? status ?? '—' },
  {
    head: 'Acción',
    cell: ({ app, topic }) =>
      topic === 'consulta.recibida' &&
      readers.some(({ appKey }) => appKey === app.appKey) && <Resend consulta={consulta} app={app} label="Reenviar" />,
  },
]

const Resend = ({ consulta, app, label }: { consulta: Consulta; app: Props['readers'][number]; label: string }) => (
  <PostButton action={`${consultaHref(consulta)}/reenviar`} class="secondary small" hidden={{ App: app.appKey }}>
    {label}
    <span class="visually-hidden"> a {app.nombre}</span>
  </PostButton>
)
