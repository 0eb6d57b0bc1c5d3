import type { Auto, Money } from './auto.ts'
import type { Interes, Interesado } from './person.ts'

/** «Fiat Cronos 1.3 Drive 2022» */
export const carName = ({ Marca, Modelo, Version, VersionYear }: Auto): string =>
  [Marca, Modelo, Version, VersionYear].filter(Boolean).join(' ')

/** Other data of the car, a line each. */
export const carDetails = ({ Precio, Kilometraje, Color, RefStock, ExternalId, Estado }: Auto): string[] =>
  [
    Precio && `Precio: ${money(Precio)}`,
    Kilometraje ? `${Kilometraje.toLocaleString('es-AR')} km` : Estado === 'nuevo' && '0 km',
    Color && `Color: ${Color}`,
    RefStock && `Stock: ${RefStock}`,
    ExternalId && `Aviso: ${ExternalId}`,
  ].filter((line): line is string => Boolean(line))

const INTERESES: Record<Interes, string> = {
  compra: 'Quiere comprarlo',
  financiacion: 'Quiere financiarlo',
  permuta: 'Quiere permutarlo',
  'prueba-de-manejo': 'Quiere probarlo',
  otro: 'Pregunta por otra cosa',
}

/** What the person wants beside the message, a line each. */
export function wishesOf({ Interes, DocIdentidad, Provincia, Ciudad, InfoOperacion }: Interesado): string[] {
  const { EntregaVehiculo: entrega, FinanciacionDeseada: plan, QuiereCotizacionSeguro } = InfoOperacion ?? {}
  return [
    Interes && INTERESES[Interes],
    entrega && `Entrega: ${[entrega.Marca, entrega.Modelo, entrega.VersionYear].filter(Boolean).join(' ')}`,
    plan?.Adelanto && `Anticipo: ${money(plan.Adelanto)}`,
    plan?.Cuota && `Cuota: ${money(plan.Cuota)}`,
    QuiereCotizacionSeguro && 'Quiere cotizar el seguro',
    (Ciudad || Provincia) && `Vive en ${[Ciudad, Provincia].filter(Boolean).join(', ')}`,
    DocIdentidad && `Documento: ${DocIdentidad}`,
  ].filter((line): line is string => Boolean(line))
}

/** «$ 18.500.000», «US$ 12.000» */
export const money = ({ Moneda, Importe }: Money): string =>
  new Intl.NumberFormat('es-AR', {
    style: 'currency',
    currency: Moneda,
    minimumFractionDigits: Number.isInteger(Importe) ? 0 : 2,
    maximumFractionDigits: 2,
  }).format(Importe)
