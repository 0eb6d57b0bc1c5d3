import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { sharedBrowser } from '../../../tests/support/browser-contexts.ts'
import { AUTO, INTERESADO } from '../../../tests/support/consulta.ts'
import { ulid } from '../../ulid.ts'
import type { Agencia } from '../agencias/agencia.ts'
import { adfLead } from './adf.ts'
import type { Auto } from './auto.ts'
import type { Consulta } from './consulta.ts'
import type { Interesado } from './person.ts'

const HOUSE = {
  brand: { current: () => ({ nombre: 'Rodado' }) },
  publicUrl: 'https://rodado.test',
  timeZone: 'America/Argentina/Buenos_Aires',
  country: 'AR',
}

const agencia = {
  adminMail: 'ana@agencia.test',
  nombre: 'Paz & Hijos <Autos>',
  telefono: '011 4555-1234',
  sitioWeb: null,
  operadores: [{ accountId: 1, nombre: 'Ana', apellido: 'Paz', email: 'ana@agencia.test', rol: 'administrador' }],
} as unknown as Agencia

const lead = (auto: Partial<Auto> = {}, interesado: Partial<Interesado> = {}, operador = 'ana@agencia.test') =>
  adfLead(
    {
      sid: ulid(Date.parse('2026-03-05T02:15:27.031Z'), Buffer.alloc(10)),
      origenLead: 'form',
      auto: JSON.stringify({ ...AUTO, ...auto }),
      interesado: JSON.stringify({ ...INTERESADO, ...interesado }),
      operador,
    } as Consulta,
    agencia,
    HOUSE,
  )

/** An element as a real parser of XML reads it: its name, then its text or its children. */
type Node = { name: string; attributes: Record<string, string>; text: string; children: Node[] }

describe('ADF', () => {
  let page: Page
  before(async () => {
    page = await (await sharedBrowser()).newPage()
  })
  after(() => page.close())

  /** Reads it with the browser's parser, which refuses what is not well-formed. */
  async function read(text: string): Promise<Node> {
    const script = `(text) => {
      const read = (node) => ({
        name: node.localName,
        attributes: Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value])),
        text: node.textContent,
        children: [...node.children].map(read),
      })
      return read(new DOMParser().parseFromString(text, 'application/xml').documentElement)
    }`
    const root = (await page.evaluate(`(${script})(${JSON.stringify(text)})`)) as Node
    assert.equal(root.name, 'adf', root.text)
    return root
  }

  const child = (node: Node | undefined, name: string): Node | undefined =>
    node?.children.find((each) => each.name === name)
  const names = (node: Node | undefined) => node?.children.map(({ name }) => name)

  it('has the elements of ADF 1.0 in its order, with what the inquiry knows', async () => {
    const text = lead({ RefStock: 'S-881' })
    assert.match(text, /^<\?xml version="1.0" encoding="UTF-8"\?>\n<\?adf version="1.0"\?>\n<adf>/)
    const prospect = (await read(text)).children[0]
    assert.deepEqual(names(prospect), ['id', 'requestdate', 'vehicle', 'customer', 'vendor', 'provider'])
    assert.equal(child(prospect, 'requestdate')?.text, '2026-03-04T23:15:27.031-03:00')

    const vehicle = child(prospect, 'vehicle')
    assert.deepEqual(vehicle?.attributes, { interest: 'buy', status: 'used' })
    assert.deepEqual(
      vehicle?.children.map(({ name, text }) => `${name} ${text}`),
      [
        'id AB-1',
        'year 2022',
        'make Fiat',
        'model Cronos',
        'stock S-881',
        'trim 1.3 Drive',
        'bodystyle Sedán',
        'odometer 38000',
        'colorcombination Blanco',
        'price 18500000',
      ],
    )
    assert.deepEqual(child(vehicle, 'price')?.attributes, { type: 'asking', currency: 'ARS' })

    const contact = child(child(prospect, 'customer'), 'contact')
    assert.deepEqual(
      contact?.children.map(({ name, attributes, text }) => [name, attributes.part, text].filter(Boolean).join(' ')),
      [
        'name first Lucía',
        'name last Ferreyra',
        'email lucia@correo.test',
        'phone +54 9 341 555-0134',
        'address RosarioSanta FeAR',
      ],
    )
    assert.equal(child(child(prospect, 'customer'), 'comments')?.text, '¿Sigue disponible?')

    const vendor = child(prospect, 'vendor')
    assert.equal(child(vendor, 'vendorname')?.text, 'Paz & Hijos <Autos>')
    assert.equal(child(vendor, 'contact')?.children[0]?.text, 'Ana Paz')
    assert.equal(child(child(prospect, 'provider'), 'name')?.text, 'Rodado')
  })

  it('a car offered in exchange is a second vehicle, and the wished financing stands with the first', async () => {
    const InfoOperacion = {
      EntregaVehiculo: { Marca: 'Renault', Modelo: 'Clio', VersionYear: null },
      FinanciacionDeseada: { Adelanto: { Moneda: 'ARS', Importe: 5_000_000 }, Cuota: null },
      QuiereCotizacionSeguro: true,
    }
    const prospect = (await read(lead({}, { Interes: 'permuta', InfoOperacion }))).children[0]
    const [wanted, offered] = prospect?.children.filter(({ name }) => name === 'vehicle') ?? []
    assert.deepEqual(offered?.attributes, { interest: 'trade-in', status: 'used' })
    assert.equal(child(offered, 'make')?.text, 'Renault')
    assert.deepEqual(names(child(wanted, 'finance')), ['method', 'amount'])
    assert.deepEqual(child(child(wanted, 'finance'), 'amount')?.attributes, { type: 'downpayment', currency: 'ARS' })
  })

  it('a car of the catalogue is new and has no stock; a person who was erased leaves an empty contact', async () => {
    const erased = { Nombre: '', Apellido: '', Email: '', Telefono: null, Comentario: null, Interes: null }
    const prospect = (
      await read(
        lead({ ExternalId: '', Estado: 'nuevo', VersionYear: null }, { ...erased, Ciudad: null, Provincia: null }),
      )
    ).children[0]
    assert.equal(child(prospect, 'vehicle')?.attributes.status, 'new')
    assert.equal(child(child(prospect, 'vehicle'), 'stock'), undefined)
    assert.deepEqual(names(child(prospect, 'customer')), ['contact'])
    assert.deepEqual(names(child(child(prospect, 'customer'), 'contact')), ['name', 'name', 'email'])
    assert.equal(child(prospect, 'customer')?.text, '')
  })

  it('whatever a person writes is text: markup, entities, ends of sections, and what XML cannot hold', async () => {
    const wild = `</comments><x a="1">&amp; ]]> "'\u0000\u0001\u000b\u001b\ufffe\uffff 😀 \r\nfin`
    const prospect = (await read(lead({ Marca: wild }, { Comentario: wild, Nombre: wild }))).children[0]
    const read_ = child(child(prospect, 'customer'), 'comments')?.text
    assert.equal(read_, `</comments><x a="1">&amp; ]]> "'       😀 \nfin`)
    assert.deepEqual(names(child(prospect, 'customer')), ['contact', 'comments'])
  })
})
