import type { Modo } from '../../../apps/app.ts'
import { type Errors, notFound } from '../../../http/problems.ts'
import { createSitioOnce, listSitios, revokeSitio, type Sitio } from '../../../sitios/store.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { formOf, formRoute, line } from '../../form.ts'
import { serveList } from '../../list.tsx'
import { page } from '../../page.ts'
import { CopyCode, Secret } from '../../parts.tsx'
import { allowScript } from '../../security.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { CONSOLE, type ConsoleContext, ConsolePage, type ConsolePages } from '../context.tsx'
import { MODO_NAMES } from '../modo.tsx'
import { SITIOS, SITIOS_LIST } from './list.tsx'

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
      <a class="button" href={SITIOS}>
        Ya la guardé
      </a>
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
