import { toTimestamp } from '../../http/dates.ts'
import { momentOf } from '../../ulid.ts'
import type { Agencia } from '../agencias/agencia.ts'
import type { Auto, Money } from './auto.ts'
import { autoOf, type Consulta, interesadoOf } from './consulta.ts'
import type { Interesado } from './person.ts'

export const ADF_TYPE = 'application/x-adf+xml'

/** The marketplace, which provides the lead. */
interface Provider {
  publicUrl: string
  timeZone: string
  country: string
  brand: { current(): { nombre: string } }
}

const PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>\n<?adf version="1.0"?>\n'

/** ADF has five kinds of interest and two conditions of a car. */
const INTERESTS: Record<NonNullable<Interesado['Interes']>, string> = {
  compra: 'buy',
  financiacion: 'buy',
  permuta: 'buy', // what is given in exchange is a vehicle of its own
  'prueba-de-manejo': 'test-drive',
  otro: 'buy',
}
const CONDITIONS: Record<Auto['Estado'], string> = { nuevo: 'new', usado: 'used', seminuevo: 'used' }

/** An inquiry as an ADF 1.0 lead, with the elements in the order of its DTD. */
export function adfLead(
  consulta: Consulta,
  agencia: Agencia,
  { publicUrl, timeZone, country, brand }: Provider,
): string {
  const source = brand.current().nombre
  const { sid } = consulta
  const auto = autoOf(consulta)
  const person = interesadoOf(consulta)
  const prospect = element('prospect', { status: 'new' }, [
    element('id', { sequence: 1, source }, sid),
    element('requestdate', {}, toTimestamp(momentOf(sid), timeZone)),
    vehicleOf(auto, person, source),
    tradeIn(person),
    customerOf(person, country),
    vendorOf(consulta, agencia, source),
    element('provider', {}, [
      element('name', { part: 'full', type: 'business' }, source),
      element('service', {}, consulta.origenLead),
      element('url', {}, publicUrl),
    ]),
  ])
  return `${PROLOGUE}${element('adf', {}, [prospect]).xml}\n`
}

function vehicleOf(auto: Auto, { Interes, InfoOperacion }: Interesado, source: string): Xml {
  const attributes = { interest: INTERESTS[Interes ?? 'compra'], status: CONDITIONS[auto.Estado] }
  const finance = InfoOperacion?.FinanciacionDeseada
  return element('vehicle', attributes, [
    auto.ExternalId ? element('id', { sequence: 1, source }, auto.ExternalId) : undefined,
    element('year', {}, auto.VersionYear ?? ''),
    element('make', {}, auto.Marca),
    element('model', {}, auto.Modelo),
    given('stock', auto.RefStock ?? (auto.ExternalId || null)),
    given('trim', auto.Version),
    given('bodystyle', auto.BodyType),
    given('odometer', auto.Kilometraje, { units: 'km' }),
    auto.Color === null ? undefined : element('colorcombination', {}, [element('exteriorcolor', {}, auto.Color)]),
    money('price', auto.Precio, { type: 'asking' }),
    finance
      ? element('finance', {}, [
          element('method', {}, 'finance'),
          money('amount', finance.Adelanto, { type: 'downpayment' }),
          money('amount', finance.Cuota, { type: 'monthly' }),
        ])
      : undefined,
  ])
}

function tradeIn({ InfoOperacion }: Interesado): Xml | undefined {
  const offered = InfoOperacion?.EntregaVehiculo
  if (!offered) return undefined
  return element('vehicle', { interest: 'trade-in', status: 'used' }, [
    element('year', {}, offered.VersionYear ?? ''),
    element('make', {}, offered.Marca),
    element('model', {}, offered.Modelo),
  ])
}

function customerOf(person: Interesado, country: string): Xml {
  const { Nombre, Apellido, Email, Telefono, Provincia, Ciudad } = person
  const address = [given('city', Ciudad), given('regioncode', Provincia), element('country', {}, country)]
  const contact = element('contact', { primarycontact: 1 }, [
    element('name', { part: 'first' }, Nombre),
    element('name', { part: 'last' }, Apellido),
    // A contact has a mail or a telephone; a person who was erased has neither.
    Email || Telefono === null ? element('email', {}, Email) : undefined,
    given('phone', Telefono, { type: 'voice' }),
    Ciudad || Provincia ? element('address', { type: 'home' }, address) : undefined,
  ])
  const document = given('id', person.DocIdentidad, { sequence: 1, source: 'DocIdentidad' })
  return element('customer', {}, [contact, document, given('comments', person.Comentario)])
}

function vendorOf({ operador }: Consulta, agencia: Agencia, source: string): Xml {
  const { adminMail, nombre, sitioWeb, telefono, operadores } = agencia
  const responsible = operadores.find(({ email }) => email === operador)
  const name = [responsible?.nombre, responsible?.apellido].filter(Boolean).join(' ')
  return element('vendor', {}, [
    element('id', { sequence: 1, source }, adminMail),
    element('vendorname', {}, nombre),
    given('url', sitioWeb),
    element('contact', {}, [
      element('name', { part: 'full', type: name ? 'individual' : 'business' }, name || nombre),
      element('email', {}, operador || adminMail),
      given('phone', telefono, { type: 'voice' }),
    ]),
  ])
}

const given = (name: string, value: string | number | null, attributes: Record<string, string | number> = {}) =>
  value === null ? undefined : element(name, attributes, value)

const money = (name: string, value: Money | null, attributes: Record<string, string>) =>
  value === null ? undefined : element(name, { ...attributes, currency: value.Moneda }, value.Importe)

/** Well-formed XML, which only this file writes. */
interface Xml {
  readonly xml: string
}

/** An element with attributes and children; undefined ones are left out. */
function element(
  name: string,
  attributes: Record<string, string | number>,
  within: string | number | (Xml | undefined)[],
): Xml {
  const inner = Array.isArray(within) ? within.map((each) => each?.xml ?? '').join('') : escaped(String(within))
  const outer = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`)
  return { xml: `<${name}${outer.join('')}>${inner}</${name}>` }
}

/** Characters that XML 1.0 cannot contain (2.2, "Characters"); each becomes a space. */
const UNWRITABLE = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }

const escaped = (text: string): string =>
  text
    .replace(/\r\n/g, '\n')
    .replace(UNWRITABLE, ' ')
    .replace(/[&<>"\r]/g, (character) => ESCAPES[character] ?? character)
