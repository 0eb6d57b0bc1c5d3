import type { Modo } from '../../apps/app.ts'
import { notFound } from '../../http/problems.ts'
import {
  createSitioOnce,
  listSitios,
  listSitiosForStaff,
  newestSitio,
  revokeSitio,
  type Sitio,
} from '../../sitios/store.ts'
import { serveConfirmation } from '../confirm.tsx'
import { DangerLink, Form } from '../fields.tsx'
import { searchFilter, selectFilter } from '../filter.tsx'
import { formRoute, textField } from '../form.ts'
import { Fields, type Refused, readFields } from '../form-fields.tsx'
import { Moment } from '../format.tsx'
import { defineList, numberedPage, serveList } from '../list.tsx'
import { page } from '../page.ts'
import { ButtonLink, CopyCode, Secret, Section } from '../parts.tsx'
import { allowScript } from '../security.ts'
import { type PageDeps, redirectWithNotice } from '../signed-in.ts'
import { column, momentColumn } from '../table.tsx'
import {
  CONSOLE,
  type ConsoleContext,
  ConsolePage,
  type ConsolePages,
  MAX_NAME,
  MODO_FIELD,
  MODOS,
  modoColumn,
  NAME_FIELD,
} from './context.tsx'

const SITIOS = '/consola/sitios'

const FIELDS = {
  Nombre: NAME_FIELD,
  Modo: { ...MODO_FIELD, hint: 'No se cambia después: producción y prueba no se ven entre sí.' },
}

/** The marketplace's own sites, whose keys hand in inquiries and read what is on offer. */
const SITIOS_LIST = defineList({
  audience: CONSOLE,
  section: SITIOS,
  title: 'Sitios',
  intro: 'Los sitios propios del mercado. Con su clave entregan consultas y leen avisos.',
  filters: {
    q: searchFilter('Sitio'),
    modo: selectFilter('Modo', 'Todos', MODOS),
    estado: selectFilter('Clave', 'Todas', [
      ['vigentes', 'Vigentes'],
      ['revocadas', 'Revocadas'],
    ]),
  },
  load: async ({ store }, request) => {
    const [found, newest] = await Promise.all([
      numberedPage(request, (cursor) => listSitiosForStaff(store, request.filters, cursor)),
      newestSitio(store),
    ])
    return { ...found, newest }
  },
  columns: (ctx) => [
    { head: 'Número', text: ({ id }) => id },
    column('Sitio', 'nombre', (nombre) => <strong>{nombre}</strong>),
    modoColumn(),
    momentColumn('Creado', ctx, ({ creado }) => creado),
    {
      head: 'Clave',
      cell: ({ id, nombre, revocado }) =>
        revocado ? (
          <span>
            <span class="badge">revocada</span> <Moment at={revocado} when={ctx} />
          </span>
        ) : (
          <span class="row">
            <span class="badge ok">vigente</span>
            <DangerLink href={`${SITIOS}/${id}/revocar`} label="Revocar" to={`la clave de ${nombre}`} />
          </span>
        ),
      text: ({ revocado }) => (revocado ? 'revocada' : 'vigente'),
    },
    { head: 'Revocada', text: ({ revocado }) => revocado },
  ],
  empty: {
    none: 'Todavía no hay sitios. Cree uno para que el sitio del mercado pueda entregar consultas.',
    noMatch: 'No hay sitios así.',
    all: 'Ver todos',
  },
  bottom: ({ found }, refused: Refused | undefined) => (
    <Section title="Crear un sitio">
      <Form action={SITIOS} errors={refused?.errors} button="Crear y ver la clave">
        {/* A form that is sent twice names a number that is no longer the newest. */}
        <input type="hidden" name="ultimo" value={found.newest} />
        <Fields fields={FIELDS} {...refused} />
      </Form>
    </Section>
  ),
})

const ABOVE = { href: SITIOS, label: 'Sitios' }

/** /consola/sitios: the marketplace's own sites and their keys. */
export function sitiosRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, config } = deps
  const showRefused = serveList(app, '/sitios', deps, SITIOS_LIST)

  app.post('/sitios', formRoute(MAX_NAME), async ({ ctx, form }, reply) => {
    const { given, errors } = readFields(FIELDS, form)
    if (errors) return showRefused(reply, ctx, { given, errors })
    const newest = Number(/^\d{1,9}$/.exec(textField(form, 'ultimo'))?.[0] ?? 0)
    const newSitio = { nombre: given.Nombre, modo: given.Modo as Modo }
    const created = await createSitioOnce(store, newSitio, newest)
    if (!created) return redirectWithNotice(reply, 'sitio-ya-creado', SITIOS)
    await ctx.audit('sitio.crear', String(created.sitio.id), newSitio)
    return page(allowScript(reply), createdPage(ctx, created, config.publicUrl), 201)
  })

  serveConfirmation(app, '/sitios/:id/revocar', {
    audience: CONSOLE,
    section: SITIOS,
    parentLink: () => ABOVE,
    load: async (params: { id: string }) => {
      const found = (await listSitios(store)).find(({ id, revocado }) => String(id) === params.id && revocado === null)
      if (!found) throw notFound('No hay un sitio así con una clave vigente.')
      return found
    },
    question: ({ nombre }) => ({
      title: `¿Revocar la clave de ${nombre}?`,
      button: 'Sí, revocar',
      consequences: [
        'En un segundo deja de servir: el sitio ya no puede entregar consultas ni leer avisos.',
        'Lo que entregó queda como está.',
        'No se puede deshacer. Para volver, cree otro sitio y cambie la clave allí.',
      ],
    }),
    act: async ({ id }, ctx) => {
      await revokeSitio(store, id)
      await ctx.audit('sitio.revocar', String(id))
    },
    notice: 'sitio-revocado',
  })
}

/** The one page that shows a site's key. */
const createdPage = (ctx: ConsoleContext, made: { sitio: Sitio; sitioKey: string }, publicUrl: string) => (
  <ConsolePage ctx={ctx} title={made.sitio.nombre} section={SITIOS} script parentLink={ABOVE}>
    <Secret label="SitioKey" value={made.sitioKey} />
    <p>El sitio la envía en cada pedido, como Bearer:</p>
    <CopyCode id="curl" label="Probar la clave" what="el comando">
      {`curl -H 'Authorization: Bearer ${made.sitioKey}' \\\n  ${publicUrl}/interno/v1/avisos`}
    </CopyCode>
    <p>
      <ButtonLink href={SITIOS}>Ya la guardé</ButtonLink>
    </p>
  </ConsolePage>
)
