import { formatMoney, formatNumber } from '../../i18n/format.ts'
import { t, textOrElse } from '../../i18n/messages.tsx'
import type { Auto } from './auto.ts'
import type { InfoOperacion, Interesado } from './person.ts'

/** «Fiat Cronos 1.3 Drive 2022» */
export const carName = ({ Marca, Modelo, Version, VersionYear }: Auto): string =>
  [Marca, Modelo, Version, VersionYear].filter(Boolean).join(' ')

/** Other data of the car, a line each. */
export const carDetails = ({ Precio, Kilometraje, Color, RefStock, ExternalId, Estado }: Auto): string[] =>
  [
    Precio && t('correo.car.price', { price: formatMoney(Precio) }),
    Kilometraje ? `${formatNumber(Kilometraje)} km` : Estado === 'nuevo' && '0 km',
    Color && t('correo.car.colour', { colour: textOrElse(`aviso.colour.${Color}`, Color) }),
    RefStock && t('correo.car.stock', { stock: RefStock }),
    ExternalId && t('correo.car.listing', { listing: ExternalId }),
  ].filter((line): line is string => Boolean(line))

/** What the person wants beside the message, a line each. */
export const interestLines = ({ Interes, DocIdentidad, Provincia, Ciudad, InfoOperacion }: Interesado): string[] =>
  [
    Interes && t(`correo.wish.${Interes}`),
    ...formatOperation(InfoOperacion).map(([label, text]) => `${label}: ${text}`),
    (Ciudad || Provincia) && t('correo.wish.lives', { place: [Ciudad, Provincia].filter(Boolean).join(', ') }),
    DocIdentidad && t('correo.wish.document', { document: DocIdentidad }),
  ].filter((line): line is string => Boolean(line))

/** The deal that the person wants, by label. */
export function formatOperation(info: InfoOperacion | null): [label: string, text: string][] {
  const { EntregaVehiculo: offered, FinanciacionDeseada: finance, QuiereCotizacionSeguro: insurance } = info ?? {}
  const rows: [string, string | null | undefined | false][] = [
    [
      t('comun.operation.offered'),
      offered && [offered.Marca, offered.Modelo, offered.VersionYear].filter(Boolean).join(' '),
    ],
    [t('comun.operation.downPayment'), finance?.Adelanto && formatMoney(finance.Adelanto)],
    [t('comun.operation.instalment'), finance?.Cuota && formatMoney(finance.Cuota)],
    [t('comun.operation.insurance'), insurance && t('comun.operation.wantsQuote')],
  ]
  return rows.filter((row): row is [string, string] => Boolean(row[1]))
}
