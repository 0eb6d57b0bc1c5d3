import type { Chapter } from './chapter.ts'
import { handlingFailures } from './failures.tsx'
import { readingInquiries } from './inquiries.tsx'
import { inviting } from './invite.tsx'
import { publishing } from './publish.tsx'
import { rehearsing } from './rehearse.tsx'
import { signing } from './sign.tsx'
import { subscribing } from './subscribe.tsx'
import { verifying } from './verify.tsx'

/** The chapters, in reading order. */
export const CHAPTERS: readonly Chapter[] = [
  signing,
  rehearsing,
  inviting,
  subscribing,
  verifying,
  publishing,
  readingInquiries,
  handlingFailures,
]

export const findChapter = (slug: string): Chapter | undefined => CHAPTERS.find((chapter) => chapter.slug === slug)
