import type { Records } from './records.ts'

/** A query parameter or body member that can name a record of an agency. */
interface Position {
  route: string
  /** The parameter or member; `[]` is each item of a list. */
  name: string
  record: keyof Records
  /** Further query parameters. */
  more?: string
  /** The body with the identifier in it. */
  body?: (value: string) => unknown
  /** Why a foreign record gets another answer than an absent one, if it does. */
  differs?: string
  /** It is stored without a lookup, so an own record gets the same answer. */
  names?: 'nothing'
}

const query = (route: string, name: string, ...records: (keyof Records)[]): Position[] =>
  records.map((record) => ({ route, name, record }))
const inBody = (
  route: string,
  name: string,
  record: keyof Records,
  body: (value: string) => unknown,
  differs?: string,
): Position => ({ route, name, record, body, ...(differs && { differs }) })

const storedInBody = (...args: Parameters<typeof inBody>): Position => ({ ...inBody(...args), names: 'nothing' })

const CAR = { ExternalId: 'MIA-1', Marca: 'Fiat', Modelo: 'Uno', Activa: false }
const INQUIRY = { OrigenLead: 'form', Interesado: { Nombre: 'Ana', Telefono: '4555-1234' } }
const LOG = 'GET /v3/appnotificaciones/:topic/entregas'
const AGAIN = 'POST /v3/appnotificaciones/:topic/entregas/reenviar'
const DESTINOS = '/v3/appnotificaciones/:topic/destinos'
const PUBLISH = 'POST /v3/publicaciones/:adminMail'
const ASK = 'POST /interno/v1/consultas'

/** Every query parameter and body member of the contract that takes an identifier. A missing one fails the suite. */
export const POSITIONS: Position[] = [
  ...query('GET /v3/agencias', 'operador', 'mail', 'helper'),
  ...query('GET /v3/operadores', 'operador', 'mail', 'helper'),
  ...query('GET /v3/consultas/:adminMail', 'operador', 'mail', 'helper'),
  ...query('GET /v3/consultas/:adminMail', 'externalid', 'ext'),
  ...query('GET /v3/publicaciones/:adminMail', 'operador', 'mail', 'helper'),
  ...[LOG, AGAIN].flatMap((route) => [
    ...query(route, 'adminMail', 'mail'),
    ...query(route, 'evento', 'event'),
    ...query(route, 'sid', 'sid'),
    { route, name: 'cursor', record: 'event', ...(route === AGAIN && { more: 'todo=true' }) } as const,
  ]),
  ...[`POST ${DESTINOS}`, `PUT ${DESTINOS}/:id`].map((route) =>
    inBody(route, 'Agencias', 'mail', (mail) => ({ Callback: 'https://crm.example/avisos', Agencias: [mail] })),
  ),
  inBody(
    'POST /v3/agencias',
    'AdminMail',
    'mail',
    (AdminMail) => ({ AdminMail }),
    'spec, POST /v3/agencias: a registered address is 409 for everyone',
  ),
  inBody(PUBLISH, 'ExternalId', 'ext', (ExternalId) => ({ ...CAR, ExternalId })),
  inBody(PUBLISH, 'OperadorResponsable', 'helper', (OperadorResponsable) => ({ ...CAR, OperadorResponsable })),
  inBody(PUBLISH, 'OperadorResponsable', 'mail', (OperadorResponsable) => ({ ...CAR, OperadorResponsable })),
  inBody(`${PUBLISH}/lote`, '[].ExternalId', 'ext', (ExternalId) => [{ ...CAR, ExternalId }]),
  inBody(`${PUBLISH}/lote`, '[].OperadorResponsable', 'helper', (mail) => [{ ...CAR, OperadorResponsable: mail }]),
  inBody('PUT /v3/publicaciones/:adminMail/:externalid', 'OperadorResponsable', 'helper', (OperadorResponsable) => ({
    OperadorResponsable,
  })),
  inBody('PUT /v3/operadores/:adminMail', 'Operadores[].Email', 'mail', (Email) => ({ Operadores: [{ Email }] })),
  inBody('PUT /v3/operadores/:adminMail', 'Operadores[].Email', 'helper', (Email) => ({ Operadores: [{ Email }] })),
  storedInBody('POST /v3/sucursales/:adminMail', 'Email', 'mail', (Email) => ({ Nombre: 'Centro', Email })),
  storedInBody('PUT /v3/sucursales/:adminMail/:id', 'Email', 'mail', (Email) => ({ Nombre: 'Centro', Email })),
  inBody('POST /v3/prueba/consultas', 'AdminMail', 'mail', (AdminMail) => ({ AdminMail })),
  inBody('POST /v3/prueba/consultas', 'ExternalId', 'ext', (ExternalId) => ({ ExternalId })),
  inBody(ASK, 'Aviso', 'aviso', (Aviso) => ({ ...INQUIRY, Aviso: Number(Aviso) })),
  inBody(ASK, 'AdminMail', 'mail', (AdminMail) => ({
    ...INQUIRY,
    AdminMail,
    Catalogo: { Marca: 'Fiat', Modelo: 'Uno' },
  })),
  inBody(ASK, 'ExternalId', 'ext', (ExternalId) => ({ ...INQUIRY, AdminMail: '«own»', ExternalId })),
  inBody(ASK, 'OperadorResponsable', 'helper', (OperadorResponsable) => ({
    ...INQUIRY,
    AdminMail: '«own»',
    Catalogo: { Marca: 'Fiat', Modelo: 'Uno' },
    OperadorResponsable,
  })),
  inBody('POST /interno/v1/visitas', '[].Aviso', 'aviso', (Aviso) => [{ Aviso: Number(Aviso) }]),
]

/** Names of identifiers in the contract. `cursor` of the feeds is a point in time. */
export const IDENTIFIERS = ['AdminMail', 'ExternalId', 'OperadorResponsable', 'Email', 'Aviso', 'adminMail', 'Agencias']
export const IDENTIFIERS_IN_QUERIES = ['operador', 'externalid', 'adminMail', 'evento', 'sid', 'cursor']
/** Members with such a name that name no record of ours. */
export const NO_IDENTIFIERS = [
  'GET /v3/eventos cursor',
  'GET /interno/v1/avisos cursor',
  'GET /interno/v1/agencias cursor',
  'POST /interno/v1/consultas Interesado.Email',
]
