import type { Modo } from '../../apps/app.ts'
import { type Errors, notFound } from '../../http/problems.ts'
import {
  createSitioOnce,
  listSitios,
  listSitiosForStaff,
  newestSitio,
  revokeSitio,
  type Sitio,
} from '../../sitios/store.ts'
import { serveConfirmation } from '../confirm.tsx'
import { DangerLink, FaultList, Field, Select } from '../fields.tsx'
import { searchFilter, selectFilter } from '../filter.tsx'
import { formOf, formRoute, line } from '../form.ts'
import { Moment } from '../format.tsx'
import { defineList, numberedPage, serveList } from '../list.tsx'
import { page } from '../page.ts'
import { ButtonLink, CopyCode, Secret } from '../parts.tsx'
import { allowScript } from '../security.ts'
import { type PageDeps, redirectWithNotice } from '../signed-in.ts'
import { momentColumn } from '../table.tsx'
import {
  CONSOLE,
  type ConsoleContext,
  ConsolePage,
  type ConsolePages,
  MODO_NAMES,
  MODOS,
  ModoBadge,
} from './context.tsx'

const SITIOS = '/consola/sitios'

/** A refused form: what was filled in, and what is wrong with it. */
interface RefusedSitio {
  given: { nombre: string; modo: string }
  errors: Errors
}

/** The marketplace's own sites, whose keys hand in inquiries and read what is on offer. */
const SITIOS_LIST = defineList({
  audience: CONSOLE,
  section: SITIOS,
  title: 'Sitios',
  lead: () => <p>Los sitios propios del mercado. Con su clave entregan consultas y leen avisos.</p>,
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
  idOf: ({ id }) => id,
  columns: (ctx) => [
    { head: 'Número', text: ({ id }) => id },
    { head: 'Sitio', cell: ({ nombre }) => <strong>{nombre}</strong>, text: ({ nombre }) => nombre },
    { head: 'Modo', cell: ({ modo }) => <ModoBadge modo={modo} />, text: ({ modo }) => modo },
    momentColumn('Creado', ctx, ({ creado }) => creado),
    {
      head: 'Clave',
      cell: ({ id, nombre, revocado }) =>
        revocado ? (
          <span>
            <span class="badge status-5">revocada</span> <Moment at={revocado} when={ctx} />
          </span>
        ) : (
          <span class="row">
            <span class="badge status-2">vigente</span>
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
  csvName: 'sitios',
  after: ({ found }, refused: RefusedSitio | undefined) => (
    <section>
      <h2>Crear un sitio</h2>
      <form method="post" action={SITIOS} class="sheet limited" novalidate>
        {/* A form that is sent twice names a number that is no longer the newest. */}
        <input type="hidden" name="ultimo" value={found.newest} />
        <Fields {...refused} />
        <button type="submit">Crear y ver la clave</button>
      </form>
    </section>
  ),
})

const Fields = ({ given, errors }: Partial<RefusedSitio>) => (
  <>
    <FaultList errors={errors} />
    <Field name="Nombre" label="Nombre" value={given?.nombre} errors={errors} more={{ maxlength: 120 }} />
    <Select
      name="Modo"
      label="Modo"
      value={given?.modo}
      errors={errors}
      choices={MODOS}
      hint="No se cambia después: producción y prueba no se ven entre sí."
    />
  </>
)

const MAX_NAME = 120
const ABOVE = { href: SITIOS, label: 'Sitios' }

/** /consola/sitios: the marketplace's own sites and their keys. */
export function sitiosRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, config } = deps
  const showRefused = serveList(app, '/sitios', deps, SITIOS_LIST)

  app.post('/sitios', formRoute(MAX_NAME), async (request, reply) => {
    const { ctx } = request
    const form = formOf(request)
    const given = { nombre: line(form, 'Nombre'), modo: line(form, 'Modo') }
    const errors = faults(given)
    if (Object.keys(errors).length > 0) return showRefused(reply, ctx, { given, errors })
    const newest = Number(/^\d{1,9}$/.exec(line(form, 'ultimo'))?.[0] ?? 0)
    const made = await createSitioOnce(store, { nombre: given.nombre, modo: given.modo as Modo }, newest)
    if (!made) return redirectWithNotice(reply, 'sitio-ya-creado', SITIOS)
    await ctx.audit('sitio.crear', String(made.sitio.id), { nombre: given.nombre, modo: given.modo })
    return page(allowScript(reply), createdPage({ ctx, ...made, publicUrl: config.publicUrl }), 201)
  })

  serveConfirmation(app, '/sitios/:id/revocar', {
    audience: CONSOLE,
    section: SITIOS,
    above: () => ABOVE,
    load: async (params: { id: string }) => {
      const found = (await listSitios(store)).find(({ id, revocado }) => String(id) === params.id && revocado === null)
      if (!found) throw notFound('No hay un sitio así con una clave vigente.')
      return found
    },
    question: ({ nombre }) => ({
      title: `¿Revocar la clave de ${nombre}?`,
      button: 'Sí, revocar',
      consequences: (
        <ul>
          <li>En un segundo deja de servir: el sitio ya no puede entregar consultas ni leer avisos.</li>
          <li>Lo que entregó queda como está.</li>
          <li>No se puede deshacer. Para volver, cree otro sitio y cambie la clave allí.</li>
        </ul>
      ),
    }),
    act: async ({ id }, ctx) => {
      await revokeSitio(store, id)
      await ctx.audit('sitio.revocar', String(id))
    },
    notice: 'sitio-revocado',
  })
}

interface CreatedProps {
  ctx: ConsoleContext
  sitio: Sitio
  sitioKey: string
  publicUrl: string
}

/** The one page that shows a site's key. */
const createdPage = ({ ctx, sitio, sitioKey, publicUrl }: CreatedProps) => (
  <ConsolePage ctx={ctx} title={sitio.nombre} section={SITIOS} script above={ABOVE}>
    <Secret label="SitioKey" value={sitioKey} />
    <p>El sitio la envía en cada pedido, como Bearer:</p>
    <CopyCode id="curl" label="Probar la clave" what="el comando">
      {`curl -H 'Authorization: Bearer ${sitioKey}' \\\n  ${publicUrl}/interno/v1/avisos`}
    </CopyCode>
    <p>
      <ButtonLink href={SITIOS}>Ya la guardé</ButtonLink>
    </p>
  </ConsolePage>
)

function faults({ nombre, modo }: { nombre: string; modo: string }): Errors {
  return {
    ...(nombre === '' && { Nombre: ['Falta el nombre.'] }),
    ...(nombre.length > MAX_NAME && { Nombre: [`Puede tener hasta ${MAX_NAME} caracteres.`] }),
    ...(!MODO_NAMES.some((known) => known === modo) && { Modo: ['Elija producción o prueba.'] }),
  }
}
