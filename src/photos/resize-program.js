// Makes the copies of one photo. A program of its own (resize.ts): a hostile image can then neither end the server nor
// keep its memory. It reads the file from stdin and writes a line of JSON and the copies to stdout.
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'

const WIDTHS = process.argv[2].split(',').map(Number)
const MIN_SIDE = 64
const MAX_SIDE = 12_000
const MAX_PIXELS = 50_000_000
/** Of the decoded image: an image of 16 bits and four channels may have fewer pixels. */
const MAX_DECODED_BYTES = 160_000_000
const DEPTH_BYTES = { uchar: 1, char: 1, ushort: 2, short: 2 }
const FORMATS = ['jpeg', 'png', 'webp']

// Nothing is kept for another image, and no other loader of libvips ever sees a byte.
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})

const OPTIONS = { limitInputPixels: MAX_PIXELS, failOn: 'error' }

function faultOf({ format, width, height, pages, channels, depth }) {
  if (!FORMATS.includes(format)) return 'tipo'
  if (pages > 1) return 'animada'
  const [short, long] = [Math.min(width, height), Math.max(width, height)]
  // 1 × 100,000 px is too large rather than too small.
  if (long > MAX_SIDE || width * height > MAX_PIXELS) return 'grande'
  if (short < MIN_SIDE) return 'chica'
  return width * height * channels * (DEPTH_BYTES[depth] ?? 4) > MAX_DECODED_BYTES ? 'grande' : undefined
}

async function makeCopies(file) {
  const refused = faultOf(await sharp(file, OPTIONS).metadata())
  if (refused) return { refused }
  // Decoded once, upright, in sRGB, on white; raw pixels have no metadata that could be passed on.
  const { data, info } = await sharp(file, OPTIONS)
    .autoOrient()
    .resize({ width: WIDTHS.at(-1), withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const copies = []
  for (const each of WIDTHS.filter((_, at) => at === 0 || WIDTHS[at - 1] < width)) {
    const copy = () =>
      sharp(data, { raw: { width, height, channels } }).resize({ width: each, withoutEnlargement: true })
    // Effort 4, the default, takes more than twice the time for 5 % fewer bytes.
    copies.push({ name: `${each}.webp`, bytes: await copy().webp({ quality: 78, effort: 2 }).toBuffer() })
    copies.push({ name: `${each}.jpg`, bytes: await copy().jpeg({ quality: 80, progressive: true }).toBuffer() })
  }
  return { width, height, copies }
}

// sharp refuses an image with too many pixels before it returns its size.
const { copies = [], ...result } = await makeCopies(await buffer(process.stdin)).catch(({ message }) => ({
  refused: /pixel limit/i.test(message) ? 'grande' : 'danada',
}))
const files = copies.map(({ name, bytes }) => ({ name, size: bytes.length }))
const peakKb = process.resourceUsage().maxRSS
process.stdout.write(`${JSON.stringify({ ...result, files, peakKb })}\n`)
for (const { bytes } of copies) process.stdout.write(bytes)
