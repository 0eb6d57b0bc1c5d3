import { message, rich, t } from '../../i18n/messages.tsx'
import {
  addUpdate,
  createIncident,
  deleteIncident,
  ESTADOS_INCIDENTE,
  type EstadoIncidente,
  findIncident,
  IMPACTOS,
  type Impacto,
  type Incident,
  listIncidents,
  newestIncident,
} from '../../status/incidents.ts'
import { serveConfirmation } from '../confirm.tsx'
import { Acts, DangerLink, Form } from '../fields.tsx'
import { selectFilter } from '../filter.tsx'
import { formRoute, textField } from '../form.ts'
import { Fields, type FormFields, type Refused, readFields } from '../form-fields.tsx'
import { Moment } from '../format.tsx'
import { defineList, numberedPage, serveList } from '../list.tsx'
import { page } from '../page.ts'
import { idIn, requireFound } from '../params.ts'
import { Section } from '../parts.tsx'
import { type ById, type PageDeps, redirectWithNotice } from '../signed-in.ts'
import { momentColumn, RowLink } from '../table.tsx'
import { CONSOLE, type ConsoleContext, ConsolePage, type ConsolePages } from './context.tsx'

const INCIDENTES = '/consola/incidentes'

const MAX_TITLE = 120 // characters
const MAX_TEXT = 2_000

const updateFields = () =>
  ({
    Estado: {
      label: t('consola.head.state'),
      choices: ESTADOS_INCIDENTE.map((estado) => [estado, t(`estado.incident.${estado}`)] as const),
      missing: t('consola.incidents.state.missing'),
    },
    Texto: {
      label: t('consola.incidents.text'),
      rows: 4,
      max: MAX_TEXT,
      missing: t('consola.incidents.text.missing'),
      hint: t('consola.incidents.text.hint'),
    },
  }) satisfies FormFields

const incidentFields = () =>
  ({
    Titulo: { label: t('consola.incidents.heading'), max: MAX_TITLE, missing: t('consola.incidents.heading.missing') },
    Impacto: {
      label: t('consola.incidents.impact'),
      choices: IMPACTOS.map((impacto) => [impacto, t(`estado.impact.${impacto}`)] as const),
      missing: t('consola.incidents.impact.missing'),
    },
    ...updateFields(),
  }) satisfies FormFields

const stateOf = ({ updates: [last] }: Incident): EstadoIncidente => last?.estado ?? 'investigando'

const INCIDENTES_LIST = defineList(() => ({
  audience: CONSOLE,
  section: INCIDENTES,
  title: t('consola.nav.incidentes'),
  intro: () => <p>{rich('consola.incidents.intro', { link: (text) => <a href="/estado">{text}</a> })}</p>,
  filters: {
    estado: selectFilter(t('consola.head.state'), t('consola.filter.all.m'), [
      ['abiertos', t('consola.incidents.open')],
      ['resueltos', t('consola.incidents.resolved')],
    ]),
  },
  load: async ({ store }, request) => {
    const [found, newest] = await Promise.all([
      numberedPage(request, (cursor) => listIncidents(store, request.filters, cursor)),
      newestIncident(store),
    ])
    return { ...found, newest }
  },
  columns: (ctx) => [
    {
      head: t('consola.incidents.incident'),
      cell: ({ id, titulo }) => <RowLink href={`${INCIDENTES}/${id}`}>{titulo}</RowLink>,
      text: ({ titulo }) => titulo,
    },
    { head: t('consola.incidents.impact'), text: ({ impacto }) => t(`estado.impact.${impacto}`) },
    {
      head: t('consola.head.state'),
      cell: (row) => <IncidentEstadoBadge row={row} />,
      text: (row) => t(`estado.incident.${stateOf(row)}`),
    },
    momentColumn(t('consola.head.since'), ctx, ({ desde }) => desde),
    momentColumn(t('consola.head.until'), ctx, ({ hasta }) => hasta),
  ],
  empty: {
    none: t('consola.incidents.none'),
    noMatch: t('consola.incidents.noMatch'),
    all: t('consola.filter.seeAll.m'),
  },
  bottom: ({ found }, refused: Refused | undefined) => (
    <Acts>
      <Section title={t('consola.incidents.publish')}>
        <Form action={INCIDENTES} button={t('consola.incidents.publish.button')} {...refused}>
          {/* A form that is sent twice names a number that is no longer the newest. */}
          <input type="hidden" name="ultimo" value={found.newest} />
          <Fields fields={incidentFields()} />
        </Form>
      </Section>
    </Acts>
  ),
}))

const IncidentEstadoBadge = ({ row }: { row: Incident }) => (
  <span class={row.hasta ? 'badge ok' : 'badge attention'}>{t(`estado.incident.${stateOf(row)}`)}</span>
)

const parentLink = () => ({ href: INCIDENTES, label: t('consola.nav.incidentes') })

/** /consola/incidentes: what the staff writes on the status page. */
export function incidentsRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store } = deps
  const showRefused = serveList(app, '/incidentes', deps, INCIDENTES_LIST)

  const load = async ({ id }: { id: string }): Promise<Incident> =>
    requireFound(await findIncident(store, idIn(id)), message('consola.incidents.noSuch'))

  app.post('/incidentes', formRoute(MAX_TITLE + MAX_TEXT), async ({ ctx, form }, reply) => {
    const { given, errors } = readFields(incidentFields(), form)
    if (errors) return showRefused(reply, ctx, { given, errors })
    const newest = idIn(textField(form, 'ultimo'))
    const { Titulo: titulo, Impacto, Estado, Texto: texto } = given
    const incident = { titulo, impacto: Impacto as Impacto, estado: Estado as EstadoIncidente, texto }
    const id = await ctx.change(
      (published) =>
        published ? { act: 'incidente.publicar', subject: String(published), detail: { titulo } } : undefined,
      (tx) => createIncident(tx, incident, newest),
    )
    if (id === undefined) return redirectWithNotice(reply, 'incidente-ya-publicado', INCIDENTES)
    return redirectWithNotice(reply, 'incidente-publicado', `${INCIDENTES}/${id}`)
  })

  app.get<ById>('/incidentes/:id', async ({ ctx, params }, reply) => page(reply, incidentPage(ctx, await load(params))))

  app.post<ById>('/incidentes/:id', formRoute(MAX_TEXT), async ({ ctx, params, form }, reply) => {
    const incident = await load(params)
    const { given, errors } = readFields(updateFields(), form)
    if (errors) return page(reply, incidentPage(ctx, incident, { given, errors }), 400)
    const update = { estado: given.Estado as EstadoIncidente, texto: given.Texto }
    const { estado, texto } = incident.updates[0] ?? {}
    // A form that is sent twice says the same again.
    if (estado !== update.estado || texto !== update.texto) {
      const detail = { estado: update.estado }
      await ctx.change({ act: 'incidente.actualizar', subject: String(incident.id), detail }, (tx) =>
        addUpdate(tx, incident.id, update),
      )
    }
    return redirectWithNotice(reply, 'incidente-actualizado', `${INCIDENTES}/${incident.id}`)
  })

  serveConfirmation(app, '/incidentes/:id/eliminar', {
    audience: CONSOLE,
    section: INCIDENTES,
    parentLink,
    load,
    question: ({ titulo }: Incident) => ({
      title: t('consola.incidents.delete.title', { titulo }),
      button: t('consola.incidents.delete.button'),
      consequences: [t('consola.incidents.delete.gone'), t('consola.incidents.delete.instead')],
    }),
    act: ({ id, titulo }, ctx) =>
      ctx.change({ act: 'incidente.eliminar', subject: String(id), detail: { titulo } }, (tx) =>
        deleteIncident(tx, id),
      ),
    notice: 'incidente-eliminado',
  })
}

const incidentPage = (ctx: ConsoleContext, incident: Incident, refused?: Refused) => (
  <ConsolePage
    ctx={ctx}
    title={incident.titulo}
    parentLink={parentLink()}
    intro={
      <p>
        {t(`estado.impact.${incident.impacto}`)} · <IncidentEstadoBadge row={incident} />
      </p>
    }
    actions={
      <DangerLink
        href={`${INCIDENTES}/${incident.id}/eliminar`}
        label={t('consola.incidents.delete')}
        to={incident.titulo}
      />
    }
  >
    <Section title={t('consola.incidents.updates')}>
      <ul class="rows">
        {incident.updates.map(({ estado, texto, at }) => (
          <li key={at.toISOString()}>
            <span>
              <strong>{t(`estado.incident.${estado}`)}</strong> <Moment at={at} when={ctx} />
              <span class="hint">{texto}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
    <Acts>
      <Section title={t('consola.incidents.update')}>
        <Form
          action={`${INCIDENTES}/${incident.id}`}
          button={t('consola.incidents.publish.button')}
          {...(refused ?? { given: { Estado: stateOf(incident), Texto: '' } })}
        >
          <Fields fields={updateFields()} />
        </Form>
      </Section>
    </Acts>
  </ConsolePage>
)
