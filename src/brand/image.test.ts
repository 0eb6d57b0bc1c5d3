import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import type { ImageSlot } from './brand.ts'
import { MAX_IMAGE_BYTES, readImage } from './image.ts'

const solid = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#8a1c4a80' } })
const SCRIPT = Buffer.from('<script>alert(1)</script>')

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, sum])
}

/** A PNG of RGBA that says what it likes. */
function png(width: number, height: number, pixels: Buffer, more: Buffer[] = []): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const parts = [chunk('IHDR', header), ...more, chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts])
}

const codeOf = async (file: Buffer, slot: ImageSlot = 'logo') => {
  const image = await readImage(slot, file)
  return 'code' in image ? image.code : undefined
}

describe('images of a brand', () => {
  it('PNG, JPEG and WebP become a PNG of bounded size, with the same pixels', async () => {
    const drawn = solid(1200, 400)
    for (const file of [await drawn.png().toBuffer(), await drawn.jpeg().toBuffer(), await drawn.webp().toBuffer()]) {
      const image = await readImage('logo', file)
      assert.ok('hash' in image)
      assert.deepEqual([image.ancho, image.alto], [480, 160])
      assert.equal((await sharp(image.bytes).metadata()).format, 'png')
    }
    const icon = await readImage('favicon', await solid(48, 48).png().toBuffer())
    assert.ok('hash' in icon && icon.ancho === 48)
  })

  it('nothing but pixels is stored: no text, no place, no second file', async () => {
    const pixels = Buffer.alloc(80 * (1 + 80 * 4))
    const commented = png(80, 80, pixels, [chunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), SCRIPT]))])
    const appended = Buffer.concat([await solid(80, 80).jpeg().toBuffer(), SCRIPT, Buffer.from('PK\x03\x04')])
    const placed = await solid(80, 80)
      .withExif({ IFD0: { Copyright: 'alert(1)' } })
      .jpeg()
      .toBuffer()
    for (const file of [commented, appended, placed]) {
      const image = await readImage('logo', file)
      if ('code' in image) continue // what is refused is not stored either
      assert.ok(!image.bytes.includes('alert(1)') && !image.bytes.includes('PK\x03\x04'))
    }
    assert.equal(await codeOf(commented), undefined)
  })

  it('what is no image, or no usable one, is refused and says why', async () => {
    const photo = await solid(200, 100).jpeg().toBuffer()
    const drawn = await solid(200, 100).png().toBuffer()
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    const cases: [string, Buffer, ImageSlot?][] = [
      ['svg', Buffer.from(svg)],
      ['svg', Buffer.from(`\ufeff<?xml version="1.0"?>${svg}`)],
      ['svg', Buffer.from('<html><body>')],
      ['formato', Buffer.from('GIF89a;')],
      ['formato', Buffer.from('%PDF-1.7')],
      ['formato', Buffer.from('BM')],
      ['danada', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(svg)])],
      ['danada', photo.subarray(0, photo.length - 60)],
      ['danada', drawn.subarray(0, drawn.length >> 1)],
      ['danada', Buffer.from('RIFF\x10\x00\x00\x00WEBPVP8 ', 'latin1')],
      ['medidas', png(1, 100_000, Buffer.alloc(500_000))],
      ['medidas', png(100_000, 100_000, Buffer.alloc(1_000))],
      ['medidas', await solid(600, 40).png().toBuffer()],
      ['medidas', await solid(64, 32).png().toBuffer(), 'favicon'],
      ['peso', Buffer.concat([photo, Buffer.alloc(MAX_IMAGE_BYTES)])],
    ]
    for (const [code, file, slot] of cases)
      assert.equal(await codeOf(file, slot), code, `${code} ${file.toString('latin1', 0, 24)} ${file.length}`)
  })

  it('an animation, and a bomb of 256 MB in its pixels, are refused or harmless', async () => {
    const moving = sharp(randomBytes(64 * 128 * 3), { raw: { width: 64, height: 128, channels: 3, pageHeight: 64 } })
    assert.equal(await codeOf(await moving.webp().toBuffer()), 'animada')
    const bomb = png(80, 80, Buffer.alloc(200 * 1024 * 1024))
    assert.ok(bomb.length < MAX_IMAGE_BYTES)
    const image = await readImage('logo', bomb)
    assert.ok('code' in image || image.bytes.length < MAX_IMAGE_BYTES)
  })
})
