import { fileURLToPath } from 'node:url'
import { isPhoto, runImageProgram } from '../brand/image.ts'
import type { PhotoError } from './errors.ts'
import { WIDTHS } from './photo.ts'

export interface Resized {
  width: number
  height: number
  /** `640.webp`, `640.jpg` … */
  files: { name: string; bytes: Buffer }[]
}

export type ResizeResult = (Resized | { refused: PhotoError; retry?: 'yes' | 'once' }) & { peakKb?: number | undefined }

const PROGRAM = fileURLToPath(new URL('./resize-program.js', import.meta.url))
/** Within an attempt after the slowest download, so that it is this limit that ends a slow image. */
export const RESIZE_LIMIT_MS = 15_000

/** Makes the copies of a photo in a process of its own, which is killed when its time is over. */
export async function resize(file: Buffer, signal: AbortSignal, limitMs = RESIZE_LIMIT_MS): Promise<ResizeResult> {
  if (!isPhoto(file)) return { refused: 'tipo' }
  const timeout = AbortSignal.timeout(limitMs)
  const ending = AbortSignal.any([signal, timeout])
  const { output, code } = await runImageProgram(PROGRAM, WIDTHS.join(), file, ending)
  // The machine may have been busy; a second time it is the photo. First, because the attempt may end at the same moment.
  if (timeout.aborted) return { refused: 'lenta', retry: 'once' }
  if (signal.aborted) return { refused: 'lenta', retry: 'yes' }
  // It did not start, or something else killed it: that may be no fault of the photo.
  if (code === null) return { refused: 'lenta', retry: 'yes' }
  return code === 0 ? parse(output) : { refused: 'danada' }
}

interface Header {
  refused?: PhotoError
  width: number
  height: number
  files: { name: string; size: number }[]
  peakKb: number
}

function parse(output: Buffer): ResizeResult {
  const end = output.indexOf('\n')
  const { refused, width, height, files, peakKb } = JSON.parse(output.toString('utf8', 0, end)) as Header
  if (refused) return { refused, peakKb }
  let at = end + 1
  const split = files.map(({ name, size }) => ({ name, bytes: output.subarray(at, (at += size)) }))
  return { width, height, files: split, peakKb }
}
