import type { Matcher } from '../../catalogue/match/matcher.ts'
import { dayOf } from '../../http/dates.ts'
import { fault } from '../../http/problems.ts'
import { lineOrNull, normalizeLine, normalizeLines } from '../../text.ts'
import type { Agencia } from '../agencias/agencia.ts'
import { isFault, NOWHERE, placeOf, readPlace } from '../agencias/place.ts'
import { carroceriaRef } from '../carrocerias/carrocerias.ts'
import { colorRef } from '../colores/colores.ts'
import type { Faults } from './faults.ts'
import type { PublicacionesDeps } from './paquete.ts'
import type { DatoTecnico, Details } from './publicacion.ts'
import type { PublicacionEdit } from './schema.ts'
import { readEngine } from './vehicle.ts'

export interface DetailContext {
  matcher: Matcher
  agencia: Pick<Agencia, 'adminMail' | 'operadores' | 'regionId' | 'region' | 'ciudadId' | 'ciudad'>
  year: number
}

export const detailContext = ({ matcher, clock, config }: PublicacionesDeps, agencia: DetailContext['agencia']) => ({
  matcher,
  agencia,
  year: Number(dayOf(clock(), config.timeZone).slice(0, 4)),
})

const NEW_FOR_YEARS = 2 // a car built two years ago may still be unsold
const DECIMALS = 2 // of money, as it is stored

/** The details in a body, matched to the catalogue. A value sent back as it was read is not matched again. */
export function readDetails(context: DetailContext, body: PublicacionEdit, faults: Faults, current?: Details): Details {
  if (body.Precio && hasFractions(body.Precio.Importe))
    faults.add('Precio.Importe', fault('formato', 'Puede tener hasta 2 decimales.'))
  return {
    refStock: lineOrNull(body.RefStock),
    operador: readOperador(context, body, faults, current),
    versionYear: body.VersionYear ?? null,
    kilometraje: readMileage(context, body, faults, current),
    ...readColour(context, body, faults, current),
    ...readBodyStyle(context, body, faults, current),
    ...readEngine(body, faults),
    precioMoneda: body.Precio?.Moneda ?? null,
    precioImporte: body.Precio?.Importe ?? null,
    descripcion: (body.Descripcion && normalizeLines(body.Descripcion)) || null,
    ...readWhere(context, body, faults, current),
    fotos: body.Fotos ?? [],
    datosTecnicos: readData(body, faults),
  }
}

function readData({ DatosTecnicosCustom }: PublicacionEdit, faults: Faults): DatoTecnico[] {
  const data = (DatosTecnicosCustom ?? []).map(({ Nombre, Valor }) => ({
    Nombre: normalizeLine(Nombre),
    Valor: normalizeLine(Valor),
  }))
  for (const [at, dato] of data.entries())
    for (const [member, text] of Object.entries(dato))
      if (text === '') faults.add(`DatosTecnicosCustom[${at}].${member}`, fault('vacio', 'No puede estar vacío.'))
  return data
}

/** True if storing the amount would round it. */
const hasFractions = (amount: number): boolean => Number(amount.toFixed(DECIMALS)) !== amount

/** Left out, it stays with the person whom the agency gave the listing, while they work there. */
function readOperador(
  { agencia }: DetailContext,
  { OperadorResponsable }: PublicacionEdit,
  faults: Faults,
  current?: Details,
): string {
  const works = (mail: string | undefined) => agencia.operadores.some(({ email }) => email === mail)
  const stays = OperadorResponsable === undefined && works(current?.operador) ? current?.operador : undefined
  const mail = OperadorResponsable?.toLowerCase() ?? stays ?? agencia.adminMail
  if (OperadorResponsable && !works(mail))
    faults.add('OperadorResponsable', fault('no-colabora', 'No trabaja en la agencia.'))
  return mail
}

/** 0 means a new car, so it is refused for an old one (docs/decisions/listings.md). */
function readMileage({ year }: DetailContext, body: PublicacionEdit, faults: Faults, current?: Details): number | null {
  const { Kilometraje = null, VersionYear } = body
  const unchanged = current?.kilometraje === 0 && current.versionYear === VersionYear
  if (Kilometraje === 0 && VersionYear && VersionYear < year - NEW_FOR_YEARS && !unchanged)
    faults.add('Kilometraje', fault('incompatible', `0 es solo para un auto nuevo, y este es de ${VersionYear}.`))
  return Kilometraje
}

function readColour({ matcher }: DetailContext, body: PublicacionEdit, faults: Faults, current?: Details) {
  const text = lineOrNull(body.Color)
  if (text === null) return { colorId: null, color: null }
  if (current && text === current.color) return { colorId: current.colorId, color: text }
  const found = faults.match('Color', matcher.colour(text), colorRef)
  return { colorId: found?.id ?? null, color: found?.nombre ?? null }
}

function readBodyStyle({ matcher }: DetailContext, body: PublicacionEdit, faults: Faults, current?: Details) {
  const text = lineOrNull(body.Carroceria)
  if (text === null) return { carroceriaId: null, carroceria: null }
  if (current && text === current.carroceria) return { carroceriaId: current.carroceriaId, carroceria: text }
  const found = faults.match('Carroceria', matcher.bodystyle(text), carroceriaRef)
  return { carroceriaId: found?.id ?? null, carroceria: found?.nombre ?? null }
}

/** The agency's place if the body has none. */
function readWhere({ matcher, agencia }: DetailContext, body: PublicacionEdit, faults: Faults, current?: Details) {
  if (!lineOrNull(body.Region) && !lineOrNull(body.Ciudad)) return placeOf(agencia)
  const place = readPlace(matcher, body, agencia, current)
  if (!isFault(place)) return place
  faults.addPlace(place)
  return NOWHERE
}
