import { notFound } from '../../http/problems.ts'
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
import { ESTADO_LABELS, IMPACTO_LABELS } from '../estado/labels.ts'
import { DangerLink, Form } from '../fields.tsx'
import { selectFilter } from '../filter.tsx'
import { formRoute, textField } from '../form.ts'
import { Fields, type FormField, type Refused, readFields } from '../form-fields.tsx'
import { Moment } from '../format.tsx'
import { defineList, numberedPage, serveList } from '../list.tsx'
import { page } from '../page.ts'
import { Section } from '../parts.tsx'
import { type ById, type PageDeps, redirectWithNotice } from '../signed-in.ts'
import { momentColumn } from '../table.tsx'
import { CONSOLE, type ConsoleContext, ConsolePage, type ConsolePages } from './context.tsx'

const INCIDENTES = '/consola/incidentes'

const [MAX_TITLE, MAX_TEXT] = [120, 2_000] // characters

const UPDATE_FIELDS = {
  Estado: {
    label: 'Estado',
    choices: ESTADOS_INCIDENTE.map((estado) => [estado, ESTADO_LABELS[estado]] as const),
    missing: 'Elija un estado.',
  },
  Texto: {
    label: 'Qué pasa',
    rows: 4,
    max: MAX_TEXT,
    missing: 'Escriba qué pasa.',
    hint: 'Lo lee cualquiera, en /estado: qué no funciona, desde cuándo, qué se está haciendo.',
  },
} satisfies Record<string, FormField>

const FIELDS = {
  Titulo: { label: 'Título', max: MAX_TITLE, missing: 'Escriba un título.' },
  Impacto: {
    label: 'Impacto',
    choices: IMPACTOS.map((impacto) => [impacto, IMPACTO_LABELS[impacto]] as const),
    missing: 'Elija el impacto.',
  },
  ...UPDATE_FIELDS,
} satisfies Record<string, FormField>

const stateOf = ({ updates: [last] }: Incident): EstadoIncidente => last?.estado ?? 'investigando'

const INCIDENTES_LIST = defineList({
  audience: CONSOLE,
  section: INCIDENTES,
  title: 'Incidentes',
  intro: () => (
    <p>
      Lo que se publica en <a href="/estado">la página de estado</a>, que ve cualquiera.
    </p>
  ),
  filters: {
    estado: selectFilter('Estado', 'Todos', [
      ['abiertos', 'En curso'],
      ['resueltos', 'Resueltos'],
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
      head: 'Incidente',
      cell: ({ id, titulo }) => <a href={`${INCIDENTES}/${id}`}>{titulo}</a>,
      text: ({ titulo }) => titulo,
    },
    { head: 'Impacto', text: ({ impacto }) => IMPACTO_LABELS[impacto] },
    { head: 'Estado', cell: (row) => <EstadoBadge row={row} />, text: (row) => ESTADO_LABELS[stateOf(row)] },
    momentColumn('Desde', ctx, ({ desde }) => desde),
    momentColumn('Hasta', ctx, ({ hasta }) => hasta),
  ],
  empty: { none: 'No se publicó ningún incidente.', noMatch: 'No hay incidentes así.', all: 'Ver todos' },
  bottom: ({ found }, refused: Refused | undefined) => (
    <Section title="Publicar un incidente">
      <Form action={INCIDENTES} errors={refused?.errors} button="Publicar">
        {/* A form that is sent twice names a number that is no longer the newest. */}
        <input type="hidden" name="ultimo" value={found.newest} />
        <Fields fields={FIELDS} {...refused} />
      </Form>
    </Section>
  ),
})

const EstadoBadge = ({ row }: { row: Incident }) => (
  <span class={row.hasta ? 'badge ok' : 'badge attention'}>{ESTADO_LABELS[stateOf(row)]}</span>
)

const ABOVE = { href: INCIDENTES, label: 'Incidentes' }

/** /consola/incidentes: what the staff writes on the status page. */
export function incidentsRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store } = deps
  const showRefused = serveList(app, '/incidentes', deps, INCIDENTES_LIST)

  async function load({ id }: { id: string }): Promise<Incident> {
    const found = /^\d{1,9}$/.test(id) ? await findIncident(store, Number(id)) : undefined
    if (!found) throw notFound('No hay un incidente así.')
    return found
  }

  app.post('/incidentes', formRoute(MAX_TITLE + MAX_TEXT), async ({ ctx, form }, reply) => {
    const { given, errors } = readFields(FIELDS, form)
    if (errors) return showRefused(reply, ctx, { given, errors })
    const newest = Number(/^\d{1,9}$/.exec(textField(form, 'ultimo'))?.[0] ?? 0)
    const { Titulo: titulo, Impacto, Estado, Texto: texto } = given
    const incident = { titulo, impacto: Impacto as Impacto, estado: Estado as EstadoIncidente, texto }
    const id = await createIncident(store, incident, newest)
    if (id === undefined) return redirectWithNotice(reply, 'incidente-ya-publicado', INCIDENTES)
    await ctx.audit('incidente.publicar', String(id), { titulo })
    return redirectWithNotice(reply, 'incidente-publicado', `${INCIDENTES}/${id}`)
  })

  app.get<ById>('/incidentes/:id', async ({ ctx, params }, reply) => page(reply, incidentPage(ctx, await load(params))))

  app.post<ById>('/incidentes/:id', formRoute(MAX_TEXT), async ({ ctx, params, form }, reply) => {
    const incident = await load(params)
    const { given, errors } = readFields(UPDATE_FIELDS, form)
    if (errors) return page(reply, incidentPage(ctx, incident, { given, errors }), 400)
    const update = { estado: given.Estado as EstadoIncidente, texto: given.Texto }
    const { estado, texto } = incident.updates[0] ?? {}
    // A form that is sent twice says the same again.
    if (estado !== update.estado || texto !== update.texto) {
      await store.transaction((tx) => addUpdate(tx, incident.id, update))
      await ctx.audit('incidente.actualizar', String(incident.id), { estado: update.estado })
    }
    return redirectWithNotice(reply, 'incidente-actualizado', `${INCIDENTES}/${incident.id}`)
  })

  serveConfirmation(app, '/incidentes/:id/eliminar', {
    audience: CONSOLE,
    section: INCIDENTES,
    parentLink: () => ABOVE,
    load,
    question: ({ titulo }: Incident) => ({
      title: `¿Eliminar «${titulo}»?`,
      button: 'Sí, eliminar',
      consequences: [
        'Desaparece de la página de estado con todo lo que se escribió.',
        'Si el incidente terminó, no lo elimine: publique una novedad con el estado Resuelto.',
      ],
    }),
    act: async ({ id, titulo }, ctx) => {
      await deleteIncident(store, id)
      await ctx.audit('incidente.eliminar', String(id), { titulo })
    },
    notice: 'incidente-eliminado',
  })
}

const incidentPage = (ctx: ConsoleContext, incident: Incident, refused?: Refused) => (
  <ConsolePage
    ctx={ctx}
    title={incident.titulo}
    section={INCIDENTES}
    parentLink={ABOVE}
    faulty={refused !== undefined}
    intro={
      <p>
        {IMPACTO_LABELS[incident.impacto]} · <EstadoBadge row={incident} />
      </p>
    }
    actions={<DangerLink href={`${INCIDENTES}/${incident.id}/eliminar`} label="Eliminar" to={incident.titulo} />}
  >
    <Section title="Novedades">
      <ul class="rows">
        {incident.updates.map(({ estado, texto, at }) => (
          <li key={at.toISOString()}>
            <span>
              <strong>{ESTADO_LABELS[estado]}</strong> <Moment at={at} when={ctx} />
              <span class="hint">{texto}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
    <Section title="Publicar una novedad">
      <Form action={`${INCIDENTES}/${incident.id}`} errors={refused?.errors} button="Publicar">
        <Fields fields={UPDATE_FIELDS} {...refused} />
      </Form>
    </Section>
  </ConsolePage>
)
