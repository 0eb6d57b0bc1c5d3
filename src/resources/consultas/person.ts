import type { Errors } from '../../http/problems.ts'
import type { InfoOperacion, Interesado, Money } from './consulta.ts'
import type { InteresadoCreate } from './create-schema.ts'

const FEWEST_DIGITS = 6

/** What is wrong with who asks, beyond the form of each member. */
export function personFaults({ Email, Telefono }: InteresadoCreate): Errors {
  if (!Email && !Telefono) {
    const needed = ['Indique un correo o un teléfono.']
    return { 'Interesado.Email': needed, 'Interesado.Telefono': needed }
  }
  if (Telefono && digitsOf(Telefono).length < FEWEST_DIGITS)
    return { 'Interesado.Telefono': ['Debe ser un número de teléfono.'] }
  return {}
}

/** Who asks, with every member: what is not known is null, a mail or surname not given is empty (decisions, 9). */
export const interesadoFrom = (given: InteresadoCreate): Interesado => ({
  Interes: given.Interes ?? 'compra',
  Nombre: given.Nombre,
  Apellido: given.Apellido ?? '',
  Email: given.Email ?? '',
  Telefono: given.Telefono ?? null,
  DocIdentidad: given.DocIdentidad ?? null,
  Provincia: given.Provincia ?? null,
  Ciudad: given.Ciudad ?? null,
  Comentario: given.Comentario ?? null,
  InfoOperacion: given.InfoOperacion ? operacionFrom(given.InfoOperacion) : null,
})

const operacionFrom = ({
  EntregaVehiculo: vehicle,
  FinanciacionDeseada: finance,
  QuiereCotizacionSeguro,
}: NonNullable<InteresadoCreate['InfoOperacion']>): InfoOperacion => ({
  EntregaVehiculo: vehicle
    ? { Marca: vehicle.Marca, Modelo: vehicle.Modelo, VersionYear: vehicle.VersionYear ?? null }
    : null,
  FinanciacionDeseada: finance ? { Adelanto: amount(finance.Adelanto), Cuota: amount(finance.Cuota) } : null,
  QuiereCotizacionSeguro: QuiereCotizacionSeguro ?? null,
})

const amount = (money: Money | null | undefined): Money | null =>
  money ? { Moneda: money.Moneda, Importe: money.Importe } : null

/** By what a person is recognised: the mail without case, the digits of the telephone. */
export const keysOf = ({ Email, Telefono }: Pick<Interesado, 'Email' | 'Telefono'>) => ({
  email: Email.toLowerCase() || null,
  telefono: (Telefono && digitsOf(Telefono)) || null,
})

const digitsOf = (telephone: string): string => telephone.replace(/\D/g, '')
