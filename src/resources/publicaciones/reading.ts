import type { Matcher } from '../../catalogue/match/matcher.ts'
import { normalizeLine, normalizeLines } from '../../text.ts'
import type { Agencia } from '../agencias/agencia.ts'
import { isFault, readPlace } from '../agencias/place.ts'
import { carroceriaRef } from '../carrocerias/represent.ts'
import { colorRef } from '../colores/represent.ts'
import type { PublicacionEdit } from './create-schema.ts'
import type { Faults } from './faults.ts'
import type { DatoTecnico, Details } from './publicacion.ts'
import { readEngine } from './vehicle.ts'

/** What a listing is read against. */
export interface Reading {
  matcher: Matcher
  /** Whose car it is: its people and its place. */
  agencia: Pick<Agencia, 'adminMail' | 'operadores' | 'regionId' | 'region' | 'ciudadId' | 'ciudad'>
  /** The year that it is. */
  year: number
}

const NEW_FOR_YEARS = 2 // what was built two years ago may still stand unsold
const DECIMALS = 2 // of money, as the store keeps it

const tidy = (text: string | null | undefined): string | null => (text && normalizeLine(text)) || null

/**
 * What a body says of a car, with its values matched. A value sent back as it was read is the same one, whatever the
 * catalogue would now make of its name.
 */
export function readDetails(reading: Reading, body: PublicacionEdit, faults: Faults, current?: Details): Details {
  if (body.Precio && hasFractions(body.Precio.Importe)) faults.add('Precio.Importe', 'Puede tener hasta 2 decimales.')
  return {
    refStock: tidy(body.RefStock),
    operador: readOperator(reading, body, faults),
    versionYear: body.VersionYear ?? null,
    kilometraje: readMileage(reading, body, faults, current),
    ...readColour(reading, body, faults, current),
    ...readBodyStyle(reading, body, faults, current),
    ...readEngine(body, faults),
    precioMoneda: body.Precio?.Moneda ?? null,
    precioImporte: body.Precio?.Importe ?? null,
    descripcion: (body.Descripcion && normalizeLines(body.Descripcion)) || null,
    ...readWhere(reading, body, faults, current),
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
      if (text === '') faults.add(`DatosTecnicosCustom[${at}].${member}`, 'No puede estar vacío.')
  return data
}

/** What would be kept as another number than was sent. */
const hasFractions = (amount: number): boolean => Number(amount.toFixed(DECIMALS)) !== amount

function readOperator({ agencia }: Reading, { OperadorResponsable }: PublicacionEdit, faults: Faults): string {
  const mail = OperadorResponsable?.toLowerCase() ?? agencia.adminMail
  if (OperadorResponsable && !agencia.operadores.some(({ email }) => email === mail))
    faults.add('OperadorResponsable', 'No trabaja en la agencia.')
  return mail
}

/** There is no other sign of a new car: 0 says it, and is not believed of an old one (decisions, 10). */
function readMileage({ year }: Reading, body: PublicacionEdit, faults: Faults, current?: Details): number | null {
  const { Kilometraje = null, VersionYear } = body
  const asItWas = current?.kilometraje === 0 && current.versionYear === VersionYear
  if (Kilometraje === 0 && VersionYear && VersionYear < year - NEW_FOR_YEARS && !asItWas)
    faults.add('Kilometraje', `0 es solo para un auto nuevo, y este es de ${VersionYear}.`)
  return Kilometraje
}

function readColour({ matcher }: Reading, body: PublicacionEdit, faults: Faults, current?: Details) {
  const text = tidy(body.Color)
  if (text === null) return { colorId: null, color: null }
  if (current && text === current.color) return { colorId: current.colorId, color: text }
  const found = faults.match('Color', matcher.colour(text), colorRef)
  return { colorId: found?.id ?? null, color: found?.nombre ?? null }
}

function readBodyStyle({ matcher }: Reading, body: PublicacionEdit, faults: Faults, current?: Details) {
  const text = tidy(body.Carroceria)
  if (text === null) return { carroceriaId: null, carroceria: null }
  if (current && text === current.carroceria) return { carroceriaId: current.carroceriaId, carroceria: text }
  const found = faults.match('Carroceria', matcher.bodystyle(text), carroceriaRef)
  return { carroceriaId: found?.id ?? null, carroceria: found?.nombre ?? null }
}

function readWhere({ matcher, agencia }: Reading, body: PublicacionEdit, faults: Faults, current?: Details) {
  const { Region, Ciudad } = body
  const [region, ciudad] = [tidy(Region), tidy(Ciudad)]
  const known = [agencia, current].find((place) => place && place.region === region && place.ciudad === ciudad)
  const same = region === null && ciudad === null ? agencia : known
  if (same) return { regionId: same.regionId, region: same.region, ciudadId: same.ciudadId, ciudad: same.ciudad }
  const place = readPlace(matcher, { Region, Ciudad })
  if (!isFault(place)) return place
  for (const [member, reasons] of Object.entries(place.errors)) {
    for (const reason of reasons) faults.add(member, reason)
    for (const candidate of place.candidates as Faults['candidates'])
      faults.candidates.push({ ...candidate, Campo: member })
  }
  return { regionId: null, region: null, ciudadId: null, ciudad: null }
}
