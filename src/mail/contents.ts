import type { Seal } from '../store/sealed.ts'
import { type Contents, type Letter, openContents } from './letter.ts'

/** What is known of a letter before it is read: it is sealed, or it tells of an inquiry and is written when it is needed. */
export interface Unread {
  kind: string
  to: string
  sealed: Buffer | null
  sid: string | null
}

/**
 * Writes a letter about an inquiry from what that inquiry is now; undefined where nothing is left to tell. Nothing of it
 * is kept here, so that what is erased there is erased here.
 */
export type Writer = (about: { kind: string; to: string; sid: string }) => Promise<Letter | undefined>

/** What stands in a letter, and where its answer goes. */
export type Read = Contents & { replyTo?: string | undefined }

/** What a letter says; undefined where it has nothing to say any more. */
export async function read({ kind, to, sealed, sid }: Unread, seal: Seal, writer: Writer): Promise<Read | undefined> {
  if (sealed) return openContents(seal, sealed)
  const letter = sid === null ? undefined : await writer({ kind, to, sid })
  if (!letter) return undefined
  const { subject, text, html, replyTo } = letter
  return { subject, text, html, messageId: `${kind}.${sid}`, replyTo }
}
