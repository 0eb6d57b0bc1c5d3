import { PASSWORD } from '../support/visitor.ts'
import { ABSENT, type Records } from './records.ts'

/** A query parameter or form field of a page that can name a record. */
export interface Place {
  who: 'agency' | 'developer'
  path: string
  name: string
  record: keyof Records
  /** Further parameters. */
  more?: Record<string, string>
  /** Sent as a form. */
  post?: boolean
  /** The identifier within the value. */
  value?: (id: string) => string
  /** A point in time: an own one gets the same answer as an absent one. */
  isTime?: boolean
  /** The own record is shown if none is named. */
  ownIsUnsaid?: boolean
}

/** A position as pages offer it. */
export const keyOf = ({ post, path, name }: Place): string => `${post ? 'POST' : 'GET'} ${path} ${name}`

const LOG = '/portal/:appKey/entregas'
const EVENTS = '/portal/:appKey/eventos'
const AGAIN = `${LOG}/reenviar`
const CALLS = '/portal/:appKey/llamadas'
const TRY = '/portal/:appKey/probar'
const OF_AGENCIES = ['', '/apps', '/colaboradores', '/consultas', '/datos', '/publicaciones', '/reparto', '/sucursales']
const CSV = { formato: 'csv' }

/** Every position in pages of an agency and of an app that can name a foreign record. A missing one fails the suite. */
export const PLACES: Place[] = [
  ...OF_AGENCIES.map((page): Place => ({ who: 'agency', path: `/cuenta${page}`, name: 'agencia', record: 'id' })),
  { who: 'agency', path: '/cuenta/acceso', name: 'agencia', record: 'id', ownIsUnsaid: true },
  ...['/cuenta/consultas', '/cuenta/publicaciones'].flatMap((path): Place[] => [
    { who: 'agency', path, name: 'q', record: 'ext' },
    { who: 'agency', path, name: 'q', record: 'ext', more: CSV },
  ]),
  { who: 'agency', path: '/cuenta/consultas', name: 'aviso', record: 'ext' },
  { who: 'agency', path: '/cuenta/consultas', name: 'operador', record: 'person' },
  ...(['consultas', 'publicaciones'] as const).flatMap((list): Place[] => {
    const [name, record] = list === 'consultas' ? (['sid', 'sid'] as const) : (['aviso', 'aviso'] as const)
    const place = { who: 'agency', path: `/cuenta/${list}/asignar`, post: true } as const
    return [
      { ...place, name, record },
      { ...place, name: 'Operador', record: 'person', more: { [name]: String(ABSENT[record]) } },
    ]
  }),
  ...['antes', 'despues'].map(
    (name): Place => ({ who: 'agency', path: '/cuenta/consultas', name, record: 'sid', isTime: true }),
  ),
  ...(['event', 'sid', 'mail'] as const).flatMap((record): Place[] => [
    ...[LOG, EVENTS].flatMap((path): Place[] => [
      { who: 'developer', path, name: 'q', record },
      { who: 'developer', path, name: 'q', record, more: CSV },
    ]),
    { who: 'developer', path: AGAIN, name: 'q', record, more: { previa: 'si' } },
    { who: 'developer', path: AGAIN, name: 'q', record, post: true },
  ]),
  ...['destinos', 'editar', 'destinos/:destino/editar'].map(
    (form): Place => ({
      who: 'developer',
      path: `/portal/:appKey/webhooks/:topic/${form}`,
      name: 'Agencias',
      post: true,
      record: 'mail',
      more: { Callback: 'https://crm.example/avisos', alcance: 'algunas' },
    }),
  ),
  ...[LOG, EVENTS].flatMap((path) =>
    ['antes', 'despues'].map((name): Place => ({ who: 'developer', path, name, record: 'event', isTime: true })),
  ),
  { who: 'developer', path: TRY, name: 'ruta', record: 'mail', value: (mail) => `/v3/agencias/${mail}` },
  { who: 'developer', path: TRY, name: 'ruta', record: 'mail', value: (mail) => `/v3/consultas/${mail}` },
  {
    who: 'developer',
    path: TRY,
    name: 'ruta',
    record: 'mail',
    post: true,
    more: { metodo: 'PUT', cuerpo: '{}' },
    value: (mail) => `/v3/operadores/${mail}`,
  },
  {
    who: 'developer',
    path: TRY,
    name: 'agencia',
    record: 'mail',
    post: true,
    more: { metodo: 'PUT', ruta: '/v3/operadores/{adminMail}', cuerpo: '{}' },
  },
  { who: 'developer', path: TRY, name: 'llamada', record: 'call' },
  { who: 'developer', path: TRY, name: 'guardada', record: 'saved' },
  { who: 'developer', path: CALLS, name: 'q', record: 'sid' },
  { who: 'developer', path: CALLS, name: 'q', record: 'sid', more: CSV },
  ...['antes', 'despues'].map((name): Place => ({ who: 'developer', path: CALLS, name, record: 'call', isTime: true })),
  ...(['sid', 'ext'] as const).map((record): Place => ({ who: 'agency', path: '/ir', name: 'q', record })),
  ...(['event', 'sid'] as const).map((record): Place => ({ who: 'developer', path: '/ir', name: 'q', record })),
  // Invitations do not reveal whether an address has an account or belongs to another agency.
  ...(['mail', 'helper'] as const).flatMap((record): Place[] => [
    { who: 'agency', path: '/cuenta/colaboradores', name: 'Email', record, post: true },
    { who: 'agency', path: '/cuenta/administrador', name: 'Email', record, post: true, more: { Clave: PASSWORD } },
    { who: 'developer', path: '/portal/:appKey/equipo', name: 'Email', record, post: true, more: { Rol: 'titular' } },
  ]),
]

const because = (why: string, names: string): [string, string][] => names.split(' ').map((name) => [name, why])

/** The other fields, by name or by form and name, and why they name no record. */
export const NO_IDENTIFIERS = new Map([
  ...because('a day or a moment', 'desde hasta'),
  ...because(
    'one of a few words that are the same for everybody',
    'estado topic destino Topic tambien Rol Estado Acto por vivo',
  ),
  ...because(
    'one of a few words that are the same for everybody',
    'previa formato metodo ejemplo firma alcance orden Minutos quiere',
  ),
  ...because('one of a few words that are the same for everybody', 'idioma tema accion'),
  ...because('a box that is ticked', 'editar consultasDeCatalogo consultasDeOtros EnOrden'),
  ...because(
    'kept as it comes and looked up nowhere',
    'nombre Nombre Apellido RazonSocial IdFiscal Telefono WhatsApp SitioWeb',
  ),
  ...because('kept as it comes and looked up nowhere', 'Direccion CodigoPostal Callback Description Secret Url'),
  ...because(
    'kept as it comes and looked up nowhere',
    'HeaderCustom#.Name HeaderCustom#.Value ‹day›.#.Desde ‹day›.#.Hasta',
  ),
  ...because('a day or a moment', 'Momento'),
  ...because('one of a few words that are the same for everybody', 'ver Regla Objetivo'),
  ...because('a box that is ticked', 'Abierta'),
  ...because('kept as it comes and looked up nowhere', 'Nota'),
  ['POST /cuenta/consultas/:sid/asignar Operador', 'as in /cuenta/consultas/asignar'],
  ['POST /cuenta/reparto recibe.#', 'one of the agency’s own branches: saveInbox ignores others (inbox.test.ts)'],
  ...['lista', 'q', 'agencia', 'operador', 'aviso'].map((name): [string, string] => [
    `POST /filtrar ${name}`,
    'put into an address, whose page looks it up',
  ]),
  ['POST /cuenta/sucursales/nueva Email', 'kept as it comes and looked up nowhere, as in positions.ts'],
  ['POST /cuenta/sucursales/:id Email', 'kept as it comes and looked up nowhere, as in positions.ts'],
  ...because('of the catalogue, which is everybody’s', 'Region Ciudad'),
  ...because('a password: it is one’s own, or none', 'Clave ClaveActual'),
  ...because(
    'compared with that of one’s own thing, and looked up nowhere',
    'Version version vigente visto etag accept',
  ),
  ['POST /portal/:appKey/webhooks/:topic/destinos destino', 'a number within one’s own topic'],
  ['POST /cuenta/telefono Codigo', 'a code of the person’s own phone'],
  ['POST /cuenta/clave Email', 'for the browser to know whose password it keeps: it is not read'],
  ...because('a body of the API, which positions.ts is about', 'cuerpo'),
])
