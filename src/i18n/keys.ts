import type aviso from './es/aviso.json'
import type bandeja from './es/bandeja.json'
import type comun from './es/comun.json'
import type consola from './es/consola.json'
import type correo from './es/correo.json'
import type cuenta from './es/cuenta.json'
import type docs from './es/docs.json'
import type entrar from './es/entrar.json'
import type entregas from './es/entregas.json'
import type estado from './es/estado.json'
import type inicio from './es/inicio.json'
import type marca from './es/marca.json'
import type notices from './es/notices.json'
import type portal from './es/portal.json'
import type problema from './es/problema.json'
import type registro from './es/registro.json'

/** The catalogues, one file for each area and language. The Spanish ones say which keys there are. */
interface Areas {
  aviso: typeof aviso
  bandeja: typeof bandeja
  comun: typeof comun
  consola: typeof consola
  correo: typeof correo
  cuenta: typeof cuenta
  docs: typeof docs
  entrar: typeof entrar
  entregas: typeof entregas
  estado: typeof estado
  inicio: typeof inicio
  marca: typeof marca
  notices: typeof notices
  portal: typeof portal
  problema: typeof problema
  registro: typeof registro
}

/** Every text: `area.name`. */
export type MessageKey = { [Area in keyof Areas]: `${Area}.${keyof Areas[Area] & string}` }[keyof Areas]
