import type { Publicacion } from '../publicaciones/publicacion.ts'
import type { Auto } from './consulta.ts'

/** What of a listing an inquiry keeps. */
export type Listing = Pick<
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

/** The car of a listing as it is at this moment, which later edits do not change. */
export const listedAuto = (listing: Listing): Auto => ({
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

/** A car of the catalogue, which is offered as new (decisions, 9). */
export const catalogueAuto = ({ marca, modelo, version }: Pick<Listing, 'marca' | 'modelo' | 'version'>): Auto => ({
  ExternalId: '',
  RefStock: null,
  Marca: marca,
  Modelo: modelo,
  Version: version,
  VersionYear: null,
  Kilometraje: null,
  Color: null,
  BodyType: null,
  Estado: 'nuevo',
  Precio: null,
  Anticipo: null,
  Cuota: null,
})
