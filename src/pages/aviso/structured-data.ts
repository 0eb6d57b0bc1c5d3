import type { Publicacion } from '../../resources/publicaciones/publicacion.ts'
import { priceOf } from '../../resources/publicaciones/publicacion.ts'

/** The car as search engines read it (https://schema.org/Car), for an element of a page. */
export function structuredData(aviso: Publicacion, agencia: string): string {
  const price = priceOf(aviso)
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Car',
    name: [aviso.marca, aviso.modelo, aviso.version].filter(Boolean).join(' '),
    brand: { '@type': 'Brand', name: aviso.marca },
    model: aviso.modelo,
    ...(aviso.versionYear && { vehicleModelDate: String(aviso.versionYear) }),
    ...(aviso.kilometraje !== null && {
      mileageFromOdometer: { '@type': 'QuantitativeValue', value: aviso.kilometraje, unitCode: 'KMT' },
      itemCondition: `https://schema.org/${aviso.kilometraje === 0 ? 'NewCondition' : 'UsedCondition'}`,
    }),
    ...(aviso.color && { color: aviso.color }),
    ...(aviso.carroceria && { bodyType: aviso.carroceria }),
    ...(aviso.fotos.length > 0 && { image: aviso.fotos }),
    offers: {
      '@type': 'Offer',
      availability: 'https://schema.org/InStock',
      ...(price && { price: price.Importe, priceCurrency: price.Moneda }),
      seller: { '@type': 'AutoDealer', name: agencia },
    },
  }
  // Text of a partner must not end the script element.
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}
