import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { setPriority } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { BrandImage, ImageSlot } from './brand.ts'

export const MAX_IMAGE_BYTES = 262_144

/** What an image must be, in pixels. */
interface ImageLimits {
  /** The shorter side at least. */
  min: number
  /** The longer side at most. */
  max: number
  /** The longer side by the shorter one at most. */
  ratio: number
}

/** What it must be, and the bounds of the PNG that is made of it: twice or more what is shown. */
const SIZES: Record<ImageSlot, ImageLimits & { width: number; height: number }> = {
  logo: { min: 24, max: 4000, ratio: 10, width: 640, height: 160 },
  logoOscuro: { min: 24, max: 4000, ratio: 10, width: 640, height: 160 },
  favicon: { min: 32, max: 4000, ratio: 1, width: 192, height: 192 },
}

/** What is wrong with an image. */
export type ImageFault =
  | { code: 'svg' | 'formato' | 'danada' | 'animada' }
  | { code: 'peso'; max: number }
  /** The size is unknown where it is far too large. */
  | ({ code: 'medidas'; ancho?: number; alto?: number } & ImageLimits)

const PROGRAM = fileURLToPath(new URL('./image-program.js', import.meta.url))
const LIMIT_MS = 20_000
const LOW_PRIORITY = 5

/**
 * Decodes an image and encodes it again as PNG, which every mail program shows, so that nothing but its pixels is stored:
 * no metadata, no second file appended or hidden in it.
 */
export async function readImage(slot: ImageSlot, given: Buffer): Promise<BrandImage | ImageFault> {
  if (given.length > MAX_IMAGE_BYTES) return { code: 'peso', max: MAX_IMAGE_BYTES / 1024 }
  if (!isPhoto(given)) return { code: isMarkup(given) ? 'svg' : 'formato' }
  const signal = AbortSignal.timeout(LIMIT_MS)
  const { output } = await runImageProgram(PROGRAM, JSON.stringify(SIZES[slot]), given, signal)
  const end = output.indexOf('\n')
  if (end < 0) return { code: 'danada' }
  const { code, ...size } = JSON.parse(output.toString('utf8', 0, end)) as Result
  if (code === 'medidas') return { code, ...size, ...SIZES[slot] }
  if (code) return { code }
  const bytes = output.subarray(end + 1)
  if (bytes.length > MAX_IMAGE_BYTES) return { code: 'peso', max: MAX_IMAGE_BYTES / 1024 }
  return { hash: hash('sha256', bytes, 'hex'), ...size, bytes }
}

interface Result {
  code?: 'animada' | 'danada' | 'medidas'
  ancho: number
  alto: number
}

/**
 * Runs a program on a file in a process of its own, which the signal kills. It has no environment, and so no secrets. The
 * code is null if it was killed or did not start.
 */
export async function runImageProgram(program: string, argument: string, file: Buffer, signal: AbortSignal) {
  const child = spawn(process.execPath, ['--max-old-space-size=96', program, argument], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {},
    killSignal: 'SIGKILL',
    signal,
  })
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
  if (child.pid !== undefined) lowerPriority(child.pid)
  child.stdin.on('error', () => undefined) // it may end before it has read everything
  child.stdin.end(file)
  const output = await buffer(child.stdout).catch(() => Buffer.alloc(0))
  return { output, code: await ended }
}

/** Requests come first. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, LOW_PRIORITY)
  } catch {
    // It has ended, or the system does not allow it.
  }
}

/** PNG, JPEG and WebP by their first bytes: what a server or a person said it is does not count. */
export function isPhoto(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 12)
  const isWebp = start.startsWith('RIFF') && start.endsWith('WEBP')
  return isWebp || start.startsWith('\x89PNG\r\n\x1a\n') || start.startsWith('\xff\xd8\xff')
}

/** An SVG is a program: it may run scripts and load files from elsewhere. */
const isMarkup = (bytes: Buffer): boolean => /^\s*<|<svg/i.test(bytes.toString('utf8', 0, 1024).replace(/^\ufeff/, ''))
