import { CONSOLE_NOTICES } from './consola/notices.ts'
import { ACCOUNT_NOTICES } from './cuenta/notices.ts'
import { PORTAL_NOTICES } from './portal/notices.ts'

/** Notices that the page after an act shows once. A cookie can only name one of these. */
const NOTICES = { ...ACCOUNT_NOTICES, ...CONSOLE_NOTICES, ...PORTAL_NOTICES } as const

export type NoticeName = keyof typeof NOTICES

/** The words of a notice; undefined for a name that is none of ours. */
export const noticeOf = (name: unknown): string | undefined =>
  typeof name === 'string' && Object.hasOwn(NOTICES, name) ? NOTICES[name as NoticeName] : undefined
