import { PASSWORD } from '../support/visitor.ts'
import type { Records } from './records.ts'

/** A place in the query or the form of a page where something can be named. */
export interface Place {
  who: 'agency' | 'developer'
  path: string
  name: string
  thing: keyof Records
  /** What else is asked for. */
  more?: Record<string, string>
  /** Sent as a form. */
  post?: boolean
  /** The identifier within the value. */
  value?: (id: string) => string
  /** A place in time: one's own is not answered otherwise than what is not there. */
  isTime?: boolean
  /** One's own is what is shown where none is named. */
  ownIsUnsaid?: boolean
}

/** A place as pages offer it. */
export const keyOf = ({ post, path, name }: Place): string => `${post ? 'POST' : 'GET'} ${path} ${name}`

const LOG = '/portal/:appKey/entregas'
const EVENTS = '/portal/:appKey/eventos'
const AGAIN = `${LOG}/reenviar`
const TRY = '/portal/:appKey/probar'
const OF_AGENCIES = ['', '/apps', '/colaboradores', '/consultas', '/datos', '/publicaciones', '/sucursales']
const CSV = { formato: 'csv' }

/** Every place of the pages of an agency and of an app where something of another's can be named; one that is missing fails the suite. */
export const PLACES: Place[] = [
  ...OF_AGENCIES.map((page): Place => ({ who: 'agency', path: `/cuenta${page}`, name: 'agencia', thing: 'id' })),
  { who: 'agency', path: '/cuenta/acceso', name: 'agencia', thing: 'id', ownIsUnsaid: true },
  ...['/cuenta/consultas', '/cuenta/publicaciones'].flatMap((path): Place[] => [
    { who: 'agency', path, name: 'q', thing: 'ext' },
    { who: 'agency', path, name: 'q', thing: 'ext', more: CSV },
  ]),
  { who: 'agency', path: '/cuenta/consultas', name: 'antes', thing: 'sid', isTime: true },
  ...(['event', 'sid', 'mail'] as const).flatMap((thing): Place[] => [
    ...[LOG, EVENTS].flatMap((path): Place[] => [
      { who: 'developer', path, name: 'q', thing },
      { who: 'developer', path, name: 'q', thing, more: CSV },
    ]),
    { who: 'developer', path: AGAIN, name: 'q', thing, more: { previa: 'si' } },
    { who: 'developer', path: AGAIN, name: 'q', thing, post: true },
  ]),
  ...[LOG, EVENTS].flatMap((path) =>
    ['antes', 'despues'].map((name): Place => ({ who: 'developer', path, name, thing: 'event', isTime: true })),
  ),
  { who: 'developer', path: TRY, name: 'ruta', thing: 'mail', value: (mail) => `/v3/agencias/${mail}` },
  { who: 'developer', path: TRY, name: 'ruta', thing: 'mail', value: (mail) => `/v3/consultas/${mail}` },
  {
    ...{ who: 'developer', path: TRY, name: 'ruta', thing: 'mail', post: true, more: { metodo: 'PUT', cuerpo: '{}' } },
    value: (mail) => `/v3/operadores/${mail}`,
  },
  // Whom one asks to come: that somebody has an account, or works elsewhere, is not told.
  ...(['mail', 'helper'] as const).flatMap((thing): Place[] => [
    { who: 'agency', path: '/cuenta/colaboradores', name: 'Email', thing, post: true },
    { who: 'agency', path: '/cuenta/administrador', name: 'Email', thing, post: true, more: { Clave: PASSWORD } },
    { who: 'developer', path: '/portal/:appKey/equipo', name: 'Email', thing, post: true, more: { Rol: 'titular' } },
  ]),
]

const because = (why: string, names: string): [string, string][] => names.split(' ').map((name) => [name, why])

/** What these pages offer to fill in besides, by its name, or with its form too, and why it names nothing of anybody's. */
export const NO_IDENTIFIERS = new Map([
  ...because('a day or a moment', 'desde hasta'),
  ...because(
    'one of a few words that are the same for everybody',
    'estado topic Topic tambien Rol Estado Acto por vivo',
  ),
  ...because('one of a few words that are the same for everybody', 'previa formato metodo ejemplo firma'),
  ...because('a box that is ticked', 'editar consultasDeCatalogo consultasDeOtros'),
  ...because(
    'kept as it comes and looked up nowhere',
    'Nombre Apellido RazonSocial IdFiscal Telefono WhatsApp SitioWeb',
  ),
  ...because('kept as it comes and looked up nowhere', 'Direccion CodigoPostal Callback Description Secret'),
  ...because(
    'kept as it comes and looked up nowhere',
    'HeaderCustom#.Name HeaderCustom#.Value ‹day›.#.Desde ‹day›.#.Hasta',
  ),
  ['POST /cuenta/sucursales/nueva Email', 'kept as it comes and looked up nowhere, as in positions.ts'],
  ['POST /cuenta/sucursales/:id Email', 'kept as it comes and looked up nowhere, as in positions.ts'],
  ...because('of the catalogue, which is everybody’s', 'Region Ciudad'),
  ...because('a password: it is one’s own, or none', 'Clave ClaveActual'),
  ...because(
    'compared with that of one’s own thing, and looked up nowhere',
    'Version version vigente visto etag accept',
  ),
  ['POST /cuenta/clave Email', 'for the browser to know whose password it keeps: it is not read'],
  ...because('a body of the API, which positions.ts is about', 'cuerpo'),
])
