import sql, { type Sql } from 'sql-template-tag'
import type { Modo } from '../../apps/app.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import { matched } from '../../http/bestmatch.ts'
import { type Errors, invalid, Problem } from '../../http/problems.ts'
import { agenciaIdOf } from '../agencias/store.ts'
import { marcaRef } from '../marcas/represent.ts'
import type { Publicacion } from '../publicaciones/publicacion.ts'
import { type Auto, CATALOGO } from './consulta.ts'
import type { ConsultaCreate } from './create-schema.ts'
import { showsSource } from './sight.ts'

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

/** What of a listing an inquiry keeps. */
type Listing = Pick<
  Publicacion,
  | 'externalId'
  | 'refStock'
  | 'marca'
  | 'modelo'
  | 'version'
  | 'versionYear'
  | 'kilometraje'
  | 'color'
  | 'carroceria'
  | 'precioMoneda'
  | 'precioImporte'
>

/** One thing that may be meant, with all that receiving an inquiry about it has to know. */
export interface Candidate extends Listing {
  agenciaId: number
  adminMail: string
  agencia: string
  /** Who works there, the administrator first. */
  operadores: string[]
  /** The apps that would see it, in the order they came. */
  apps: number[]
  /** The first inquiry by the same person about it within a day. */
  repite: string | null
  /** Null where the agency is known and the listing is not, or where none was asked for. */
  publicacionId: number | null
  appId: number | null
  estado: Publicacion['estado'] | null
  operador: string | null
}

/** Everything about what may be meant, asked in one go: part of a statement, one row for each candidate. */
export const candidatesSql = (modo: Modo, about: About, repeats: Sql): Sql => sql`
  select g.id as "agenciaId", g.admin_mail as "adminMail", g.nombre as agencia,
    array(select c.email from operadores o join accounts c on c.id = o.account_id
          where o.agencia_id = g.id order by o.rol, c.email) as operadores,
    array(select s.app_id from asociaciones s
          where s.agencia_id = g.id and s.ended_at is null and ${showsSource(sql`coalesce(p.app_id, ${CATALOGO})`)}
          order by s.id) as apps,
    ${repeats} as repite,
    p.id as "publicacionId", p.app_id as "appId", p.estado, p.operador, p.external_id as "externalId",
    p.ref_stock as "refStock", p.marca, p.modelo, p.version, p.version_year as "versionYear", p.kilometraje, p.color,
    p.carroceria, p.precio_moneda as "precioMoneda", p.precio_importe::float8 as "precioImporte"
  ${meant(modo, about)}`

function meant(modo: Modo, about: About): Sql {
  if ('aviso' in about)
    return sql`from publicaciones p join agencias g on g.id = p.agencia_id
      where p.id = ${about.aviso} and p.modo = ${modo}`
  const agencia = sql`where g.id = ${agenciaIdOf(modo, about.adminMail)}`
  if ('catalogo' in about) return sql`from agencias g left join publicaciones p on false ${agencia}`
  // Each app's: the one that lives, or else the last that was archived.
  return sql`from agencias g left join lateral (
      select distinct on (x.app_id) x.* from publicaciones x
      where x.agencia_id = g.id and lower(x.external_id) = lower(${about.externalId})
      order by x.app_id, x.estado = 'Archivada', x.id desc) p on true ${agencia}`
}

/** The one that is meant; 400 on the member that names none, or several. What lives goes before what was archived. */
export function chooseMeant(about: About, candidates: Candidate[]): Candidate {
  const [first] = candidates
  if (!first)
    throw invalid('aviso' in about ? { Aviso: ['No existe ese aviso.'] } : { AdminMail: ['No existe esa agencia.'] })
  if (!('externalId' in about)) return first
  const there = candidates.filter(({ publicacionId }) => publicacionId !== null)
  const alive = there.filter(({ estado }) => estado !== 'Archivada')
  const [chosen, ...others] = alive.length > 0 ? alive : there
  if (!chosen) throw invalid({ ExternalId: ['La agencia no tiene un aviso con ese ExternalId.'] })
  if (others.length === 0) return chosen
  const avisos = [chosen, ...others].map(({ publicacionId }) => publicacionId)
  throw invalid({ ExternalId: [`Hay varios avisos con ese ExternalId: indique Aviso (${avisos.join(' o ')}).`] })
}

/** The car as it is at this moment, which later edits do not change. */
export const autoFrom = (matcher: Matcher, about: About, meant: Candidate): Auto =>
  'catalogo' in about ? catalogueAuto(matcher, about.catalogo) : listedAuto(meant)

const listedAuto = (listing: Listing): Auto => ({
  ExternalId: listing.externalId,
  RefStock: listing.refStock,
  Marca: listing.marca,
  Modelo: listing.modelo,
  Version: listing.version,
  VersionYear: listing.versionYear,
  Kilometraje: listing.kilometraje,
  Color: listing.color,
  BodyType: listing.carroceria,
  Estado: listing.kilometraje === 0 ? 'nuevo' : 'usado',
  Precio:
    listing.precioMoneda === null || listing.precioImporte === null
      ? null
      : { Moneda: listing.precioMoneda, Importe: listing.precioImporte },
  Anticipo: null,
  Cuota: null,
})

/** Cars of the catalogue are offered as new (decisions, 9). The make is matched; model and version are as written. */
function catalogueAuto(matcher: Matcher, { Marca, Modelo, Version }: Catalogo): Auto {
  const found = matched(matcher.make(Marca), marcaRef)
  if (found instanceof Problem) throw invalid({ 'Catalogo.Marca': found.errors?.make ?? [] }, found.extensions)
  return {
    ExternalId: '',
    RefStock: null,
    Marca: found.entry.nombre,
    Modelo,
    Version: Version ?? null,
    VersionYear: null,
    Kilometraje: null,
    Color: null,
    BodyType: null,
    Estado: 'nuevo',
    Precio: null,
    Anticipo: null,
    Cuota: null,
  }
}
