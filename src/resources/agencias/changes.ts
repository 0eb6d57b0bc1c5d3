import { etagOf } from '../../http/encoded-body.ts'
import { type FaultMap, fault, textsOf } from '../../http/problems.ts'
import { bodyFaults } from '../../http/validate.ts'
import { t } from '../../i18n/messages.tsx'
import { isTelephone } from '../../phone.ts'
import { lineOrNull } from '../../text.ts'
import { type AgenciaData, FIELDS } from './agencia.ts'
import type { AgenciasDeps } from './context.ts'
import { confirmPlace, isFault, type PlaceErrors, readPlace } from './place.ts'
import { AgenciaEdit } from './schema.ts'
import { isTaxId, taxIdFault } from './tax-id.ts'

export interface Change {
  campo: string
  antes: string | null
  despues: string | null
}

export const changesBetween = (before: AgenciaData, after: AgenciaData): Change[] =>
  Object.entries(FIELDS)
    .map(([campo, { column }]) => ({ campo, antes: before[column], despues: after[column] }))
    .filter(({ antes, despues }) => antes !== despues)

/** Identifies a state of the data, so that a person edits what they read. */
export const versionOf = (data: AgenciaData): string =>
  etagOf(JSON.stringify(Object.values(FIELDS).map(({ column }) => data[column])))

/** Faults of form that a schema cannot express. */
export function formFaults({ Nombre, Telefono, SitioWeb }: AgenciaEdit): FaultMap {
  return {
    ...(lineOrNull(Nombre) === null && { Nombre: [fault('vacio', t('comun.fault.empty'))] }),
    ...(Telefono && !isTelephone(Telefono) && { Telefono: [fault('formato', t('comun.fault.telephone'))] }),
    ...(SitioWeb && !isWebsite(SitioWeb) && { SitioWeb: [fault('formato', t('comun.fault.website'))] }),
  }
}

/** The format `uri` also has `https://?x`, which has no host. */
const isWebsite = (text: string): boolean => /^https?:\/\/[^/]/i.test(text) && URL.canParse(text)

/** The texts of a body by column, with its place as it was written. */
export const textsIn = (body: Partial<AgenciaEdit>): AgenciaData =>
  Object.fromEntries(
    Object.entries(FIELDS).map(([name, { column }]) => [column, lineOrNull(body[name as keyof typeof FIELDS])]),
  ) as AgenciaData

/** The data in an edit, with its place matched, or all its faults. */
export function readEdit({ matcher, config }: AgenciasDeps, body: AgenciaEdit, current: AgenciaData) {
  const texts = textsIn(body)
  const { idFiscal } = texts
  const errors: FaultMap = {}
  if (idFiscal && !isTaxId(config.country, idFiscal)) errors.IdFiscal = [taxIdFault(config.country)]
  const place = readPlace(matcher, body, current)
  if (isFault(place)) return { errors: { ...errors, ...place.errors }, candidates: place.candidates }
  if (Object.keys(errors).length > 0) return { errors, candidates: [] }
  return { ...texts, ...place }
}

/** All faults of form and meaning, for a page. Unlike the API, it refuses a city outside the chosen region. */
export function faultsOfEdit(deps: AgenciasDeps, body: AgenciaEdit, current: AgenciaData): PlaceErrors | undefined {
  const data = readEdit(deps, body, current)
  const place = confirmPlace(deps.matcher, body, current)
  const found = isFault(place) ? place : undefined
  const errors: FaultMap = {
    ...(isFault(data) && data.errors),
    ...found?.errors,
    ...formFaults(body),
    ...bodyFaults(AgenciaEdit, body),
  }
  return Object.keys(errors).length > 0 ? { errors: textsOf(errors), candidates: found?.candidates ?? [] } : undefined
}
