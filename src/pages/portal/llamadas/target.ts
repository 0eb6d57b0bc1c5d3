import type { Call } from '../../../apps/call-log.ts'
import { segment } from '../../../http/links.ts'

/** The path of a call, with the email of its agency while the app may see it. */
export const callTarget = ({ ruta, agencia }: Pick<Call, 'ruta' | 'agencia'>): string =>
  agencia ? ruta.replace('{agencia}', segment(agencia.adminMail)) : ruta
