// Makes a PNG of one image. A program of its own (image.ts): a hostile image can then neither end the server nor keep its
// memory. It reads the file from stdin and writes a line of JSON and the PNG to stdout.
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'

const { min, max, ratio, width, height } = JSON.parse(process.argv[2])

// No other loader of libvips ever sees a byte.
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})

const OPTIONS = { limitInputPixels: max * max, failOn: 'warning' }

async function makePng(file) {
  const { autoOrient: size, pages = 1 } = await sharp(file, OPTIONS).metadata()
  if (pages > 1) return { code: 'animada' }
  const [short, long] = [Math.min(size.width, size.height), Math.max(size.width, size.height)]
  if (short < min || long > max || long / short > ratio)
    return { code: 'medidas', ancho: size.width, alto: size.height }
  const { data, info } = await sharp(file, OPTIONS)
    .autoOrient()
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .png({ compressionLevel: 9 })
    .toBuffer({ resolveWithObject: true })
  return { ancho: info.width, alto: info.height, data }
}

const { data, ...result } = await makePng(await buffer(process.stdin)).catch(({ message }) => ({
  code: /pixel limit/i.test(message) ? 'medidas' : 'danada',
}))
process.stdout.write(`${JSON.stringify(result)}\n`)
if (data) process.stdout.write(data)
