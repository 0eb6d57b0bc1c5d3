import { addDays, dayOf, isDay } from '../../../http/dates.ts'
import type { Errors } from '../../../http/problems.ts'
import { findPackage, type Package, type PackageToday } from '../../../resources/agencias/packages.ts'
import { contract } from '../../../resources/publicaciones/settle.ts'
import { formOf, formRoute, line, ticked } from '../../form.ts'
import { inFigures } from '../../format.tsx'
import { page } from '../../page.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import type { ConsolePages } from '../context.tsx'
import { type ById, openAgencias } from './access.ts'
import { type GivenPackage, packagePage } from './package-page.tsx'
import { agenciaHref } from './parts.tsx'

const MAX_NAME = 120
const MOST_PLACES = 1_000_000
const YEAR_DAYS = 365

/** /consola/agencias/{id}/paquete: what an agency has contracted. */
export function packageRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, clock, config } = deps
  const agencias = openAgencias(deps)

  app.get<ById>('/agencias/:id/paquete', async (request, reply) => {
    const { ctx } = request
    const agencia = await agencias.find(request.params.id)
    const contracted = await findPackage(store, agencia.id, config.timeZone)
    return page(reply, packagePage({ ctx, agencia, given: asGiven(contracted, dayOf(clock(), config.timeZone)) }))
  })

  app.post<ById>('/agencias/:id/paquete', formRoute(MAX_NAME + 100), async (request, reply) => {
    const { ctx } = request
    const agencia = await agencias.find(request.params.id)
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
