import type { Support } from '../../mail/content.ts'
import type { AgenciasDeps } from './deps.ts'

/** Customer service, for the foot of a letter. */
export const supportOf = ({ supportUrl, supportMail }: AgenciasDeps['config']): Support => ({
  url: supportUrl,
  mail: supportMail,
})
