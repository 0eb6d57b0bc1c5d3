import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ulid } from '../../ulid.ts'
import { type ConsultaEntry, newConsulta, serializeConsulta } from './consulta.ts'
import { consultaRef } from './represent.ts'

const BUENOS_AIRES = 'America/Argentina/Buenos_Aires'

const auto = {
  ExternalId: 'AB-1',
  RefStock: null,
  Marca: 'Fiat',
  Modelo: 'Cronos',
  Version: null,
  VersionYear: 2022,
  Kilometraje: 38_000,
  Color: null,
  BodyType: null,
  Estado: 'usado',
  Precio: { Moneda: 'ARS', Importe: 18_500_000.5 },
  Anticipo: null,
  Cuota: null,
}
const interesado = {
  Interes: 'compra',
  Nombre: 'Lucía "Lu"',
  Apellido: '',
  Email: '',
  Telefono: '+54 9 341 555-0134',
  DocIdentidad: null,
  Provincia: null,
  Ciudad: null,
  Comentario: 'a\u2028b\n<c>',
  InfoOperacion: null,
}
const row = newConsulta({
  sid: ulid(Date.parse('2026-03-05T02:15:27.031Z'), Buffer.alloc(10, 7)),
  modo: 'produccion',
  agenciaId: 1,
  fuente: 1,
  origenLead: 'form',
  tipoAnuncio: 'publicacion',
  auto: JSON.stringify(auto),
  interesado: JSON.stringify(interesado),
  operador: 'ana@agencia.test',
})

const rendering = { adminMail: 'ana@agencia.test', timeZone: BUENOS_AIRES, country: 'AR' } as const
const entryOf = (of = row): ConsultaEntry => JSON.parse(serializeConsulta(of, rendering))

test('a Consulta has every member in the order of the specification, and its links', () => {
  const entry = entryOf()
  const self = `/v3/consultas/ana@agencia.test/${row.sid}`
  assert.deepEqual(Object.keys(entry).slice(0, 6), [
    'Momento',
    'OrigenLead',
    'TipoAnuncio',
    'Auto',
    'Interesado',
    'OperadorResponsable',
  ])
  assert.equal(entry.Momento, '2026-03-04T23:15:27.031-03:00')
  assert.deepEqual(entry.Auto, auto)
  assert.deepEqual(entry.Interesado, { ...interesado, TelefonoE164: '+5493415550134' })
  assert.deepEqual(entry._links, {
    self: { href: self },
    estado: { href: `${self}/estado`, method: 'PUT' },
    reenviar: { href: `${self}/resendwebhook`, method: 'POST' },
    consultas: { href: '/v3/consultas/ana@agencia.test' },
    agencia: { href: '/v3/agencias/ana@agencia.test' },
  })
})

test('the car and the person are sent byte for byte as they are stored, then the telephone as it is understood', () => {
  const text = serializeConsulta({ ...row, operador: '' }, rendering)
  assert.equal(text, JSON.stringify(JSON.parse(text)))
  assert.ok(text.includes(`"Auto":${row.auto},"Interesado":${row.interesado.slice(0, -1)},"TelefonoE164":`))
})

test('an inquiry that is too old to be sent again has no link for it', () => {
  const text = serializeConsulta(row, { ...rendering, resendableFrom: ulid(Date.parse('2026-04-05T02:15:27.031Z')) })
  assert.deepEqual(Object.keys(JSON.parse(text)._links), ['self', 'estado', 'consultas', 'agencia'])
})

test('a repeat leads to the first', () => {
  const first = ulid(1)
  const { _links } = entryOf({ ...row, repite: first })
  assert.deepEqual(_links.primera, { href: `/v3/consultas/ana@agencia.test/${first}` })
})

test('a ref names the car and the day of reception in the zone, and nobody', () => {
  assert.deepEqual(consultaRef(row, rendering), {
    href: `/v3/consultas/ana@agencia.test/${row.sid}`,
    title: 'Fiat Cronos (2026-03-04)',
  })
})
