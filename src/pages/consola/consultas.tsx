import { findApp } from '../../apps/store.ts'
import { formatMoney } from '../../i18n/format.ts'
import { message, rich, t } from '../../i18n/messages.tsx'
import { agenciasWithMail } from '../../resources/agencias/staff.ts'
import { autoOf, type Consulta, interesadoOf } from '../../resources/consultas/consulta.ts'
import { formatOperation } from '../../resources/consultas/labels.ts'
import { photosOfConsultas, publicacionOf } from '../../resources/consultas/publicacion.ts'
import { type ConsultaWithAgencia, findBySid } from '../../resources/consultas/read.ts'
import { resendConsulta } from '../../resources/consultas/resend.ts'
import {
  appsThatSee,
  listConsultasForStaff,
  MAX_NOTIFICATIONS,
  type Notification,
  type Notifications,
  newestNotifications,
  type Reader,
} from '../../resources/consultas/staff.ts'
import type { Db } from '../../store/db.ts'
import { isUlid, momentOf } from '../../ulid.ts'
import { translateError } from '../../webhooks/send/explain.ts'
import { idsOf, periodFilters } from '../entregas/filters.tsx'
import { DeliveryEstadoBadge } from '../entregas/list.tsx'
import { type Filter, textFilter } from '../filter.tsx'
import { CONFIRMATION_FORM, textField } from '../form.ts'
import { formatNumber, formatPlace, Moment } from '../format.tsx'
import { ConsultaEstadoBadge, consultaCar, consultaFacts, formatInterest, personName } from '../labels.tsx'
import { defineList, orderedPage, serveList, timeOrders } from '../list.tsx'
import { page } from '../page.ts'
import { requireFound, textParam } from '../params.ts'
import { type Fact, Facts, PostButton, Section, Status } from '../parts.tsx'
import { type BySid, type PageDeps, redirectWithNotice } from '../signed-in.ts'
import { type Column, column, momentColumn, RowLink, Table } from '../table.tsx'
import { carOf, WithThumbnail } from '../thumbnail.tsx'
import { agenciaColumn, consolaAgenciaHref } from './agencias/list.tsx'
import { CONSOLE, type ConsoleContext, ConsolePage, type ConsolePages, ModoBadge, throwConflict } from './context.tsx'

const CONSULTAS = '/consola/consultas'
const MAX_AUDITED = 100

export const consolaConsultaHref = ({ sid }: { sid: string }): string => `${CONSULTAS}/${sid}`

const SID = 'sid'

const sidFilter = (): Filter<string> => ({
  ...textFilter(t('consola.inquiries.inquiry'), { placeholder: SID, spellcheck: false }),
  parse: (query, name) => textParam(query, name)?.toUpperCase(),
})

/** The inquiries of all agencies. The person is shown only by opening one, which the audit log keeps. */
const CONSULTAS_LIST = defineList(() => ({
  audience: CONSOLE,
  section: CONSULTAS,
  title: t('consola.inquiries.title'),
  intro: t('consola.inquiries.intro'),
  filters: {
    sid: sidFilter(),
    persona: textFilter(t('consola.inquiries.person'), { placeholder: t('consola.inquiries.person.hint') }),
    agencia: textFilter(t('consola.head.agency'), { placeholder: t('consola.inquiries.agency.hint') }),
    ...periodFilters(),
  },
  orders: timeOrders(),
  load: async ({ store, config: { timeZone, country } }, request) => {
    const { sid, persona, agencia, desde, hasta } = request.filters
    const search = {
      sid,
      persona,
      country,
      agencias: agencia === undefined ? undefined : await agenciasWithMail(store, agencia),
      ...idsOf(desde, hasta, timeZone),
    }
    const found = await orderedPage(request, 'sid', (cursor) => listConsultasForStaff(store, search, cursor))
    const photos = request.csv ? undefined : await photosOfConsultas(store, found.rows)
    return { ...found, rows: found.rows.map((row) => ({ ...row, photo: photos?.get(row.sid) })) }
  },
  // A search for a person reads personal data: that these inquiries are theirs.
  audit: ({ filters, found }) =>
    filters.persona
      ? { act: 'consultas.buscar-persona', detail: { sids: found.rows.map(({ sid }) => sid).slice(0, MAX_AUDITED) } }
      : undefined,
  columns: (ctx) => [
    { head: SID, text: ({ sid }) => sid },
    { head: t('consola.head.mode'), text: ({ modo }) => modo },
    {
      head: t('consola.head.car'),
      cell: (row) => (
        <WithThumbnail car={carOf(row)} photo={row.photo} ctx={ctx}>
          <RowLink href={consolaConsultaHref(row)}>
            <strong>{consultaCar(row)}</strong>
          </RowLink>
          {row.suprimida && <span class="hint below">{t('consola.inquiries.erased')}</span>}
          {row.repite && <span class="hint below">{t('consola.inquiries.repeats')}</span>}
        </WithThumbnail>
      ),
      text: consultaCar,
    },
    agenciaColumn(),
    { head: t('consola.inquiries.listingOf'), value: ({ app }) => app ?? t('consola.inquiries.catalogue') },
    column(t('comun.consulta.origin'), 'origenLead', (origen) => t(`comun.origen.${origen}`)),
    column(t('consola.head.state'), 'estado', (estado) => <ConsultaEstadoBadge estado={estado} />),
    { ...momentColumn(t('consola.head.when'), ctx, ({ sid }) => momentOf(sid)), sort: 'fecha' },
  ],
  empty: {
    none: t('consola.inquiries.none'),
    noMatch: t('consola.inquiries.noMatch'),
    all: t('consola.filter.seeAll.f'),
  },
}))

/** /consola/consultas: the inquiries of all agencies. */
export function consultasPages(app: ConsolePages, deps: PageDeps): void {
  const { store } = deps

  serveList(app, '/consultas', deps, CONSULTAS_LIST)

  const find = async (sid: string): Promise<ConsultaWithAgencia> =>
    requireFound(isUlid(sid) ? await findBySid(store, sid) : undefined, message('consola.inquiry.noSuch'))

  app.get<BySid>('/consultas/:sid', async ({ params, ctx }, reply) => {
    const found = await find(params.sid)
    await ctx.audit('consulta.leer', found.consulta.sid)
    return page(reply, await consultaPage(store, ctx, found))
  })

  app.post<BySid>('/consultas/:sid/reenviar', CONFIRMATION_FORM, async ({ ctx, params, form }, reply) => {
    const { consulta, agencia } = await find(params.sid)
    const to = requireFound(await findApp(store, textField(form, 'App')), message('consola.inquiry.noSuchApp'))
    const { sid } = consulta
    await ctx
      .change({ act: 'consulta.reenviar', subject: sid, detail: { app: to.appKey } }, (tx) =>
        resendConsulta({ ...deps, store: tx }, to, { adminMail: agencia.adminMail, sid }),
      )
      .catch(throwConflict)
    return redirectWithNotice(reply, 'consulta-reenviada', `${consolaConsultaHref(consulta)}#entregas`)
  })
}

async function consultaPage(db: Db, ctx: ConsoleContext, found: ConsultaWithAgencia) {
  const { consulta, suprimida } = found
  const car = consultaCar(consulta)
  const [notified, readers, publicacion, photos] = await Promise.all([
    newestNotifications(db, consulta),
    appsThatSee(db, consulta),
    publicacionOf(db, consulta.sid),
    photosOfConsultas(db, [consulta]),
  ])
  return (
    <ConsolePage
      ctx={ctx}
      title={personName(consulta)}
      parentLink={{ href: CONSULTAS, label: t('consola.nav.consultas') }}
      intro={
        <p class="facts">
          <ConsultaEstadoBadge estado={consulta.estado} />
          <ModoBadge modo={consulta.modo} />
          <Moment at={momentOf(consulta.sid)} when={ctx} />
          <code class="select-all">{consulta.sid}</code>
        </p>
      }
    >
      {suprimida && <p class="empty">{t('consola.inquiry.erased')}</p>}
      {consulta.repite && (
        <p>
          {rich('consola.inquiry.repeats', {
            link: (text) => <a href={consolaConsultaHref({ sid: consulta.repite as string })}>{text}</a>,
          })}
        </p>
      )}
      <div class="with-side even">
        <Section title={t('consola.inquiry.who')}>
          {suprimida ? <p>{t('consola.inquiry.dataErased')}</p> : <Facts rows={personFacts(found)} />}
        </Section>
        <Section title={t('consola.inquiry.car')}>
          <WithThumbnail car={carOf(consulta)} photo={photos.get(consulta.sid)} ctx={ctx}>
            <strong>{publicacion ? <a href={`/consola/publicaciones/${publicacion.id}`}>{car}</a> : car}</strong>
          </WithThumbnail>
          <Facts rows={carFacts(found)} />
        </Section>
      </div>
      <Deliveries consulta={consulta} notified={notified} readers={readers} />
    </ConsolePage>
  )
}

function personFacts({ consulta }: ConsultaWithAgencia): Fact[] {
  const person = interesadoOf(consulta)
  return [
    [t('consola.head.name'), [person.Nombre, person.Apellido].filter(Boolean).join(' ')],
    [t('consola.head.email'), person.Email],
    [t('consola.head.telephone'), person.Telefono],
    [t('consola.inquiry.document'), person.DocIdentidad],
    [t('consola.inquiry.livesIn'), formatPlace(person.Ciudad, person.Provincia)],
    [t('consola.inquiry.interest'), formatInterest(person)],
    [t('consola.inquiry.wrote'), person.Comentario],
    ...formatOperation(person.InfoOperacion),
  ]
}

function carFacts({ consulta, agencia }: ConsultaWithAgencia): Fact[] {
  const auto = autoOf(consulta)
  return [
    [t('consola.head.price'), auto.Precio && formatMoney(auto.Precio)],
    [t('consola.head.kilometres'), auto.Kilometraje === null ? null : formatNumber(auto.Kilometraje)],
    ['ExternalId', auto.ExternalId],
    [
      t('consola.inquiry.from'),
      consulta.tipoAnuncio === 'catalogo' ? t('consola.inquiry.fromCatalogue') : t('consola.inquiry.fromListing'),
    ],
    [t('consola.head.agency'), <a href={consolaAgenciaHref({ id: consulta.agenciaId })}>{agencia.nombre}</a>],
    ...consultaFacts(consulta),
  ]
}

interface DeliveriesProps {
  consulta: Consulta
  notified: Notifications
  /** The apps that may read it today. */
  readers: Reader[]
}

function Deliveries({ consulta, notified: { notifications, more }, readers }: DeliveriesProps) {
  const neverNotified = readers.filter(({ notified }) => !notified)
  return (
    <Section id="entregas" title={t('consola.inquiry.notified')}>
      <Table
        caption={t('consola.inquiry.notified.caption')}
        columns={deliveryColumns(consulta, readers)}
        rows={notifications}
        empty={<p>{t('consola.inquiry.notified.none')}</p>}
      />
      {more && <p class="hint">{t('consola.inquiry.notified.more', { max: MAX_NOTIFICATIONS })}</p>}
      {neverNotified.map((app) => (
        <div key={app.appKey} class="row">
          <span>{t('consola.inquiry.neverNotified', { app: app.nombre })}</span>
          <Resend consulta={consulta} app={app} label="consola.inquiry.notify" />
        </div>
      ))}
    </Section>
  )
}

const deliveryColumns = (consulta: Consulta, readers: Reader[]): Column<Notification>[] => [
  { head: t('consola.head.app'), cell: ({ app }) => <a href={`/consola/apps/${app.appKey}`}>{app.nombre}</a> },
  {
    head: t('consola.head.what'),
    cell: ({ evento, topic, estado }) => (estado ? <a href={`/consola/entregas/${evento}`}>{topic}</a> : topic),
  },
  {
    head: t('consola.inquiry.delivery'),
    cell: ({ estado }) => (estado ? <DeliveryEstadoBadge estado={estado} /> : t('consola.inquiry.noWebhook')),
  },
  { head: t('consola.head.attempts'), number: true, cell: ({ intentos }) => intentos },
  {
    head: t('consola.inquiry.answer'),
    cell: ({ status, error }) => (error ? translateError(error) : status ? <Status code={status} /> : '–'),
  },
  {
    head: t('consola.head.act'),
    acts: true,
    cell: ({ app, topic }) =>
      topic === 'consulta.recibida' &&
      readers.some(({ appKey }) => appKey === app.appKey) && (
        <Resend consulta={consulta} app={app} label="consola.inquiry.resend" />
      ),
  },
]

interface ResendProps {
  consulta: Consulta
  app: Notification['app']
  label: 'consola.inquiry.notify' | 'consola.inquiry.resend'
}

const Resend = ({ consulta, app, label }: ResendProps) => (
  <PostButton action={`${consolaConsultaHref(consulta)}/reenviar`} class="secondary small" hidden={{ App: app.appKey }}>
    {rich(label, { app: app.nombre })}
  </PostButton>
)
