import type { Support } from '../../mail/support.ts'
import type { AgenciasNeeds } from './needs.ts'

/** Customer service, for the foot of a letter. */
export const supportOf = ({ supportUrl, supportMail }: AgenciasNeeds['config']): Support => ({
  url: supportUrl,
  mail: supportMail,
})
