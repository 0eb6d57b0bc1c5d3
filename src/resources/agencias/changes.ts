import { etagOf } from '../../http/etag.ts'
import type { Errors } from '../../http/problems.ts'
import { bodyFaults } from '../../http/validate.ts'
import type { AgenciaData } from './agencia.ts'
import type { AgenciasDeps } from './context.ts'
import { isCuit, isTelephone } from './fields.ts'
import { askPlace, isFault, type PlaceFault, readPlace } from './place.ts'
import { AgenciaEdit } from './schema.ts'
import { tidy } from './tidy.ts'

/** The members of `AgenciaEdit`, and where each is kept. */
const FIELDS = {
  Nombre: 'nombre',
  RazonSocial: 'razonSocial',
  IdFiscal: 'idFiscal',
  Telefono: 'telefono',
  WhatsApp: 'whatsapp',
  SitioWeb: 'sitioWeb',
  Region: 'region',
  Ciudad: 'ciudad',
  Direccion: 'direccion',
  CodigoPostal: 'codigoPostal',
} as const satisfies Record<string, keyof AgenciaData>

export interface Change {
  campo: string
  antes: string | null
  despues: string | null
}

/** What differs, by the names that partners and people know. */
export const changesBetween = (before: AgenciaData, after: AgenciaData): Change[] =>
  Object.entries(FIELDS)
    .map(([campo, key]) => ({ campo, antes: before[key], despues: after[key] }))
    .filter(({ antes, despues }) => antes !== despues)

/** Tells one state of an agency's data from another: what a person read is what they change. */
export const versionOf = (data: AgenciaData): string =>
  etagOf(JSON.stringify(Object.values(FIELDS).map((key) => data[key])))

/** Faults of form that a schema cannot say. */
export function formFaults({ Nombre, Telefono, SitioWeb }: AgenciaEdit): Errors {
  return {
    ...(tidy(Nombre) === null && { Nombre: ['No puede estar vacío.'] }),
    ...(Telefono && !isTelephone(Telefono) && { Telefono: ['Debe ser un número de teléfono.'] }),
    ...(SitioWeb && !/^https?:\/\/[^/]/i.test(SitioWeb) && { SitioWeb: ['Debe comenzar con http:// o https://.'] }),
  }
}

/**
 * The data that an edit means, with its places matched; or every fault of meaning at once. A place sent back as it was
 * read is the same place, whatever the catalogue would now make of its name.
 */
export function readEdit(
  { matcher, config }: AgenciasDeps,
  body: AgenciaEdit,
  current: AgenciaData,
): AgenciaData | PlaceFault {
  const idFiscal = tidy(body.IdFiscal)
  const errors: Errors = {}
  if (idFiscal && config.country === 'AR' && !isCuit(idFiscal))
    errors.IdFiscal = ['No es un CUIT: revise los once dígitos, el último verifica los demás.']
  const { regionId, region, ciudadId, ciudad } = current
  const same = isSamePlace(body, current)
  const place = same ? { regionId, region, ciudadId, ciudad } : readPlace(matcher, body)
  if (isFault(place)) return { errors: { ...errors, ...place.errors }, candidates: place.candidates }
  if (Object.keys(errors).length > 0) return { errors, candidates: [] }
  return {
    nombre: tidy(body.Nombre) ?? '',
    razonSocial: tidy(body.RazonSocial),
    idFiscal,
    telefono: tidy(body.Telefono),
    whatsapp: tidy(body.WhatsApp),
    sitioWeb: tidy(body.SitioWeb),
    ...place,
    direccion: tidy(body.Direccion),
    codigoPostal: tidy(body.CodigoPostal),
  }
}

/**
 * Every fault at once, of form and of meaning, for a person who can be asked: a region that contradicts a certain city
 * is one of them.
 */
export function faultsOfEdit(deps: AgenciasDeps, body: AgenciaEdit, current: AgenciaData): PlaceFault | undefined {
  const data = readEdit(deps, body, current)
  const place = isSamePlace(body, current) ? undefined : askPlace(deps.matcher, body)
  const asked = place && isFault(place) ? place : undefined
  const errors: Errors = {
    ...(isFault(data) && data.errors),
    ...asked?.errors,
    ...formFaults(body),
    ...bodyFaults(AgenciaEdit, body),
  }
  return Object.keys(errors).length > 0 ? { errors, candidates: asked?.candidates ?? [] } : undefined
}

/** Whether a place stands as it was read. */
const isSamePlace = (
  { Region, Ciudad }: { Region?: string | null; Ciudad?: string | null },
  { region, ciudad }: Pick<AgenciaData, 'region' | 'ciudad'>,
): boolean => tidy(Region) === region && tidy(Ciudad) === ciudad
