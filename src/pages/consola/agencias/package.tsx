import { addDays, dayOf, isDay } from '../../../http/dates.ts'
import type { Errors } from '../../../http/problems.ts'
import type { Agencia } from '../../../resources/agencias/agencia.ts'
import { findPackage, type Package, type PackageToday } from '../../../resources/agencias/packages.ts'
import { contract } from '../../../resources/publicaciones/settle.ts'
import { Field, Form, Tick } from '../../fields.tsx'
import { formOf, formRoute, line, ticked } from '../../form.ts'
import { inFigures } from '../../format.tsx'
import { page } from '../../page.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { type ConsoleContext, ConsolePage, type ConsolePages } from '../context.tsx'
import type { ById } from './parts.tsx'
import { AGENCIAS, agenciaAt, agenciaHref } from './parts.tsx'

const MAX_NAME = 120
const MOST_PLACES = 1_000_000
const YEAR_DAYS = 365

/** /consola/agencias/{id}/paquete: what an agency has contracted. */
export function packageRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, clock, config } = deps

  app.get<ById>('/agencias/:id/paquete', async ({ ctx, params }, reply) => {
    const agencia = await agenciaAt(deps, params.id)
    const contracted = await findPackage(store, agencia.id, config.timeZone)
    return page(reply, packagePage({ ctx, agencia, given: asGiven(contracted, dayOf(clock(), config.timeZone)) }))
  })

  app.post<ById>('/agencias/:id/paquete', formRoute(MAX_NAME + 100), async (request, reply) => {
    const { ctx } = request
    const agencia = await agenciaAt(deps, request.params.id)
    const given = givenIn(formOf(request))
    const read = readPackage(given)
    if ('errors' in read) return page(reply, packagePage({ ctx, agencia, given, errors: read.errors }), 400)
    await contract(deps, agencia, read)
    await ctx.audit('agencia.paquete', agencia.adminMail, { ...read })
    return redirectWithNotice(reply, 'agencia-paquete', `${agenciaHref(agencia)}#paquete`)
  })
}

/** What it has, or, where it has nothing, a year from today. */
const asGiven = (contracted: PackageToday, today: string): GivenPackage => ({
  nombre: contracted.nombre ?? '',
  desde: contracted.desde ?? today,
  hasta: contracted.hasta ?? addDays(today, YEAR_DAYS),
  alta: String(contracted.alta),
  media: String(contracted.media),
  baja: String(contracted.baja),
  consultasDeCatalogo: contracted.consultasDeCatalogo,
})

const givenIn = (form: URLSearchParams): GivenPackage => ({
  nombre: line(form, 'Nombre'),
  desde: line(form, 'Desde'),
  hasta: line(form, 'Hasta'),
  alta: line(form, 'Alta'),
  media: line(form, 'Media'),
  baja: line(form, 'Baja'),
  consultasDeCatalogo: ticked(form, 'ConsultasDeCatalogo'),
})

function readPackage({
  nombre,
  desde,
  hasta,
  consultasDeCatalogo,
  ...places
}: GivenPackage): Package | { errors: Errors } {
  const errors: Errors = {}
  if (nombre === '') errors.Nombre = ['Falta el nombre.']
  if (nombre.length > MAX_NAME) errors.Nombre = [`Puede tener hasta ${MAX_NAME} caracteres.`]
  if (!isDay(desde)) errors.Desde = ['Elija un día.']
  if (!isDay(hasta)) errors.Hasta = ['Elija un día.']
  else if (isDay(desde) && hasta < desde) errors.Hasta = ['Termina antes de empezar.']
  const count = (name: string, text: string): number => {
    const digits = text.replaceAll('.', '')
    if (!/^\d{0,7}$/.test(digits) || Number(digits) > MOST_PLACES)
      errors[name] = [`Debe ser un número entre 0 y ${inFigures(MOST_PLACES)}.`]
    return Number(digits)
  }
  const [alta, media, baja] = [count('Alta', places.alta), count('Media', places.media), count('Baja', places.baja)]
  if (Object.keys(errors).length > 0) return { errors }
  return { nombre, desde, hasta, alta, media, baja, consultasDeCatalogo }
}

/** What is written in the form, as it was written. */
interface GivenPackage {
  nombre: string
  desde: string
  hasta: string
  alta: string
  media: string
  baja: string
  consultasDeCatalogo: boolean
}

interface Props {
  ctx: ConsoleContext
  agencia: Agencia
  given: GivenPackage
  errors?: Errors
}

const PLACES = [
  ['Alta', 'alta'],
  ['Media', 'media'],
  ['Baja', 'baja'],
] as const

/** What an agency has contracted, to be written anew. */
const packagePage = ({ ctx, agencia, given, errors }: Props) => (
  <ConsolePage
    ctx={ctx}
    title="Paquete"
    section={AGENCIAS}
    above={{ href: agenciaHref(agencia), label: agencia.nombre }}
    faulty={errors !== undefined}
    lead={
      <p>Reemplaza lo contratado. Los avisos se acomodan enseguida, los más viejos primero, y las apps se enteran.</p>
    }
  >
    <Form action={`${agenciaHref(agencia)}/paquete`} errors={errors} button="Guardar el paquete">
      <Field name="Nombre" label="Nombre" value={given.nombre} errors={errors} more={{ maxlength: 120 }} />
      <div class="fields-beside">
        <Field name="Desde" label="Desde" value={given.desde} errors={errors} more={{ type: 'date' }} />
        <Field name="Hasta" label="Hasta, inclusive" value={given.hasta} errors={errors} more={{ type: 'date' }} />
      </div>
      <fieldset>
        <legend>Cuántos avisos puede mostrar</legend>
        <div class="fields-beside">
          {PLACES.map(([name, key]) => (
            <Field
              key={name}
              name={name}
              label={`Exposición ${name.toLowerCase()}`}
              value={given[key]}
              errors={errors}
              more={{ inputmode: 'numeric', maxlength: 7, autocomplete: 'off' }}
            />
          ))}
        </div>
      </fieldset>
      <Tick
        name="ConsultasDeCatalogo"
        label="Incluye consultas de catálogo"
        hint="Las de personas que preguntan por un modelo nuevo, sin un aviso en particular."
        checked={given.consultasDeCatalogo}
      />
    </Form>
  </ConsolePage>
)
