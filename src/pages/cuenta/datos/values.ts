import type { Catalogue } from '../../../catalogue/load.ts'
import type { Errors } from '../../../http/problems.ts'
import type { AgenciaData } from '../../../resources/agencias/agencia.ts'
import type { AgenciaEdit } from '../../../resources/agencias/schema.ts'
import { faultsInOrder, linesOf } from '../../form.ts'
import { withChosen } from '../../places/values.ts'
import { fullAddress, plainNumber } from '../contact.ts'

/** The fields of the form, in the order of the page: those of `AgenciaEdit`. */
const FIELDS = [
  'Nombre',
  'RazonSocial',
  'IdFiscal',
  'Telefono',
  'WhatsApp',
  'SitioWeb',
  'Region',
  'Ciudad',
  'Direccion',
  'CodigoPostal',
] as const

export type DataValues = Record<(typeof FIELDS)[number], string>

/** What the agency says today. */
export const present = (data: AgenciaData): DataValues => ({
  Nombre: data.nombre,
  RazonSocial: data.razonSocial ?? '',
  IdFiscal: data.idFiscal ?? '',
  Telefono: data.telefono ?? '',
  WhatsApp: data.whatsapp ?? '',
  SitioWeb: data.sitioWeb ?? '',
  Region: data.region ?? '',
  Ciudad: data.ciudad ?? '',
  Direccion: data.direccion ?? '',
  CodigoPostal: data.codigoPostal ?? '',
})

export const posted = (form: URLSearchParams, catalogue: Catalogue): DataValues =>
  withChosen(linesOf(form, FIELDS), catalogue)

/** What was typed, as the act takes it: blank is none. */
export const bodyOf = (values: DataValues): AgenciaEdit => {
  const given = { ...values, WhatsApp: plainNumber(values.WhatsApp), SitioWeb: fullAddress(values.SitioWeb) }
  const body = Object.fromEntries(FIELDS.map((name) => [name, given[name] || null]))
  return { ...body, Nombre: given.Nombre }
}

/** The stored value of each field that differs from the form, after another person changed the data. */
export const nowSays = (typed: DataValues, now: DataValues): Partial<DataValues> =>
  Object.fromEntries(FIELDS.filter((name) => typed[name] !== now[name]).map((name) => [name, now[name] || '(vacío)']))

export const inOrder = (errors: Errors): Errors => faultsInOrder(errors, FIELDS)
