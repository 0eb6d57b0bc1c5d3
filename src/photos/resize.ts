import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { PhotoError } from './errors.ts'
import { WIDTHS } from './photo.ts'

export interface Resized {
  width: number
  height: number
  /** `640.webp`, `640.jpg` … */
  files: { name: string; bytes: Buffer }[]
}

export type ResizeResult = (Resized | { refused: PhotoError; retry?: true }) & { peakKb?: number | undefined }

const PROGRAM = fileURLToPath(new URL('./resize-program.js', import.meta.url))
const LIMIT_MS = 20_000
/** Requests come first. */
const LOW_PRIORITY = 5

/**
 * Makes the copies of a photo in a process of its own, which is killed when its time is over. It has no environment, and
 * so no secrets.
 */
export async function resize(file: Buffer, signal: AbortSignal, limitMs = LIMIT_MS): Promise<ResizeResult> {
  if (!isSupported(file)) return { refused: 'tipo' }
  const timeout = AbortSignal.timeout(limitMs)
  const child = spawn(process.execPath, ['--max-old-space-size=96', PROGRAM, WIDTHS.join()], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {},
    killSignal: 'SIGKILL',
    signal: AbortSignal.any([signal, timeout]),
  })
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
  if (child.pid !== undefined) lowerPriority(child.pid)
  child.stdin.on('error', () => undefined) // it may end before it has read everything
  child.stdin.end(file)
  const output = await buffer(child.stdout).catch(() => Buffer.alloc(0))
  const code = await ended
  if (signal.aborted || timeout.aborted) return { refused: 'lenta', retry: true }
  return code === 0 ? parse(output) : { refused: 'danada' }
}

/** The type by the first bytes: what the server said it is does not count. */
function isSupported(file: Buffer): boolean {
  const start = file.toString('latin1', 0, 12)
  const isWebp = start.startsWith('RIFF') && start.endsWith('WEBP')
  return isWebp || start.startsWith('\xff\xd8\xff') || start.startsWith('\x89PNG\r\n\x1a\n')
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, LOW_PRIORITY)
  } catch {
    // It has ended, or the system does not allow it.
  }
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
