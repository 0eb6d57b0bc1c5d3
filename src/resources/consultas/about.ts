import type { Matcher } from '../../catalogue/match/matcher.ts'
import { matched } from '../../http/bestmatch.ts'
import { type Errors, invalid, Problem } from '../../http/problems.ts'
import { marcaRef } from '../marcas/represent.ts'
import { catalogueAuto, listedAuto } from './auto.ts'
import type { Auto } from './consulta.ts'
import type { ConsultaCreate } from './create-schema.ts'
import type { Candidate } from './lookup.ts'

type Catalogo = NonNullable<ConsultaCreate['Catalogo']>

/** What an inquiry names: a listing by its number or by the partner's id, or a car of the catalogue. */
export type About =
  | { aviso: number }
  | { adminMail: string; externalId: string }
  | { adminMail: string; catalogo: Catalogo }

const FORMS = 'Indique Aviso, o AdminMail con ExternalId, o AdminMail con Catalogo.'

/** Which of the three forms a body has, or what is wrong with it. */
export function readAbout({ Aviso, AdminMail, ExternalId, Catalogo }: ConsultaCreate): About | { errors: Errors } {
  const forms = [Aviso, ExternalId, Catalogo].filter((form) => form != null)
  if (forms.length !== 1) return { errors: { _: [forms.length === 0 ? FORMS : `${FORMS} Solo una de las tres.`] } }
  if (Aviso != null) return AdminMail == null ? { aviso: Aviso } : { errors: { AdminMail: ['No va con Aviso.'] } }
  if (AdminMail == null) return { errors: { AdminMail: ['Falta este dato.'] } }
  return Catalogo
    ? { adminMail: AdminMail, catalogo: Catalogo }
    : { adminMail: AdminMail, externalId: ExternalId as string }
}

/** The one that is meant; 400 on the member that names none, or several. What lives goes before what was archived. */
export function chooseMeant(about: About, candidates: Candidate[]): Candidate {
  const [first] = candidates
  if (!first && 'aviso' in about) throw invalid({ Aviso: ['No existe ese aviso.'] })
  if (!first) throw invalid({ AdminMail: ['No existe esa agencia.'] })
  if (!('externalId' in about)) return first
  const there = candidates.filter(({ publicacionId }) => publicacionId !== null)
  const alive = there.filter(({ estado }) => estado !== 'Archivada')
  const [chosen, ...others] = alive.length > 0 ? alive : there
  if (!chosen) throw invalid({ ExternalId: ['La agencia no tiene un aviso con ese ExternalId.'] })
  if (others.length === 0) return chosen
  const avisos = [chosen, ...others].map(({ publicacionId }) => publicacionId)
  throw invalid({ ExternalId: [`Hay varios avisos con ese ExternalId: indique Aviso (${avisos.join(' o ')}).`] })
}

/** The car as it is at this moment. Of the catalogue, the make must be known; a model that is not stays as written. */
export function autoFrom(matcher: Matcher, about: About, meant: Candidate): Auto {
  if (!('catalogo' in about)) return listedAuto(meant)
  const { Marca, Modelo, Version } = about.catalogo
  const found = matched(matcher.make(Marca), marcaRef)
  if (found instanceof Problem) throw invalid({ 'Catalogo.Marca': found.errors?.make ?? [] }, found.extensions)
  const model = matcher.modelOf(found.entry, Modelo)
  const modelo = model.kind === 'match' && model.score === 1 ? model.entry.nombre : Modelo
  return catalogueAuto({ marca: found.entry.nombre, modelo, version: Version ?? null })
}
