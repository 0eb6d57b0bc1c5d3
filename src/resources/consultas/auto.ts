import Type, { type Static } from 'typebox'
import { anyText, blank, integer, nullable, refTo } from '../../http/schemas.ts'
import { type Publicacion, priceOf } from '../publicaciones/publicacion.ts'

const CONDICIONES = ['usado', 'nuevo', 'seminuevo'] as const

export const Money = Type.Object(
  {
    Moneda: anyText('ARS', { description: 'Código ISO 4217' }),
    Importe: Type.Number({ examples: [18_500_000] }),
  },
  { $id: 'Money' },
)

/** The car as it was when the inquiry arrived, in the specification's members and order. */
export const Auto = Type.Object(
  {
    ExternalId: anyText('AB-1023', { description: 'El de la publicación; vacío en las consultas de catálogo' }),
    RefStock: nullable(anyText('S-881')),
    Marca: anyText('Fiat'),
    Modelo: anyText('Cronos'),
    Version: nullable(anyText('1.3 Drive')),
    VersionYear: nullable(integer(2022)),
    Kilometraje: nullable(integer(38_000)),
    Color: nullable(anyText('Blanco')),
    BodyType: nullable(anyText('Sedán')),
    Estado: Type.Enum([...CONDICIONES]),
    Precio: nullable(refTo(Money)),
    Anticipo: nullable(refTo(Money)),
    Cuota: nullable(refTo(Money)),
  },
  { $id: 'Auto', description: 'El auto como era al recibirse la consulta: no cambia con la publicación' },
)

export type Money = Static<typeof Money>
export type Auto = Static<typeof Auto>

/** What an inquiry copies from a listing. */
export type PublishedAuto = Pick<
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

/** The car of a listing as it is now; later edits do not change the inquiry. */
export const listedAuto = (publicacion: PublishedAuto): Auto => ({
  ExternalId: publicacion.externalId,
  RefStock: publicacion.refStock,
  Marca: publicacion.marca,
  Modelo: publicacion.modelo,
  Version: publicacion.version,
  VersionYear: publicacion.versionYear,
  Kilometraje: publicacion.kilometraje,
  Color: publicacion.color,
  BodyType: publicacion.carroceria,
  Estado: publicacion.kilometraje === 0 ? 'nuevo' : 'usado',
  Precio: priceOf(publicacion),
  Anticipo: null,
  Cuota: null,
})

/** A car of which nothing is known. */
export const BLANK_AUTO: Auto = { ...blank<Auto>(Auto.properties), Estado: 'nuevo' }

/** A car of the catalogue, which is offered as new (docs/decisions/inquiries.md). */
export const catalogueAuto = ({
  marca: Marca,
  modelo: Modelo,
  version: Version,
}: Pick<PublishedAuto, 'marca' | 'modelo' | 'version'>): Auto => ({ ...BLANK_AUTO, Marca, Modelo, Version })
