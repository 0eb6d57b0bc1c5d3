import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { crc32, deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import sql from 'sql-template-tag'
import { createDatabase } from '../../tests/support/database.ts'
import { openPhotoServer, type PhotoServer } from '../../tests/support/photo-server.ts'
import { receiverCa } from '../../tests/support/receiver.ts'
import { untilBlocked } from '../../tests/support/until-blocked.ts'
import { readConfig } from '../config.ts'
import { hasMessage } from '../i18n/messages.tsx'
import { lazy } from '../memoize.ts'
import { type Download, MAX_PHOTO_BYTES, openDownloader } from './download.ts'
import { PHOTO_ERRORS, type PhotoError } from './errors.ts'
import { photoHandler } from './handler.ts'
import { resize } from './resize.ts'
import { openPhotoStorage } from './storage.ts'

const NEVER = new AbortController().signal
/** What a process needs for the largest photo that is accepted, with room to spare. */
const MAX_PEAK_KB = 512 * 1024

const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: '#789', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })
const jpeg = (width = 400, height = 300) => noise(width, height).jpeg().toBuffer()

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, sum])
}

interface Png {
  width: number
  height: number
  depth?: number
  more?: Buffer[]
  pixels?: Buffer
}

/** A PNG of RGBA that says what it likes. */
function png({ width, height, depth = 8, more = [], pixels = Buffer.alloc(1_000) }: Png): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, 6, 0, 0, 0], 8)
  const parts = [chunk('IHDR', header), ...more, chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts])
}

/** The pixels of a small PNG, so that only its other chunks are at fault. */
const smallPixels = Buffer.alloc(80 * (1 + 80 * 4), 0)
/** 256 MB of zeros, in 250 kB. */
const bomb = lazy(() => deflateSync(Buffer.alloc(256 * 1024 * 1024)))

function gifOf(frames: number): Buffer {
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 64, 0, 64, 0, 0, 2, 2, 0x4c, 0x01, 0])
  const screen = Buffer.from([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 64, 0, 64, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255])
  return Buffer.concat([screen, ...Array<Buffer>(frames).fill(frame), Buffer.from([0x3b])])
}

/** A JPEG whose header says that it is larger than it is. */
function withSize(file: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(file)
  const at = changed.indexOf(Buffer.from([0xff, 0xc0]))
  changed.writeUInt16BE(height, at + 5)
  changed.writeUInt16BE(width, at + 7)
  return changed
}

/** A progressive JPEG that repeats its last scan. */
function withScans(file: Buffer, count: number): Buffer {
  const last = file.lastIndexOf(Buffer.from([0xff, 0xda]))
  const [start, scan] = [file.subarray(0, last), file.subarray(last, -2)]
  return Buffer.concat([start, ...Array<Buffer>(count).fill(scan), file.subarray(-2)])
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><script>alert(1)</script></svg>'

const FILES: { name: string; make: () => Buffer | Promise<Buffer>; refused: PhotoError }[] = [
  { name: 'an SVG with a script', make: () => Buffer.from(SVG), refused: 'tipo' },
  { name: 'an SVG behind an XML declaration', make: () => Buffer.from(`<?xml version="1.0"?>${SVG}`), refused: 'tipo' },
  { name: 'a page', make: () => Buffer.from('<!doctype html><script>alert(1)</script>'), refused: 'tipo' },
  {
    name: 'a GIF that is also a script',
    make: () => Buffer.from(`${'GIF89a/*'.padEnd(900, ' ')}*/=1;alert(1)`),
    refused: 'tipo',
  },
  { name: 'a GIF with 10,000 frames', make: () => gifOf(10_000), refused: 'tipo' },
  { name: 'a TIFF', make: () => noise(100, 100).tiff().toBuffer(), refused: 'tipo' },
  {
    name: 'a PDF with a JPEG in it',
    make: async () => Buffer.concat([Buffer.from('%PDF-1.7\n'), await jpeg()]),
    refused: 'tipo',
  },
  { name: 'a ZIP', make: () => Buffer.from('PK\x03\x04'.padEnd(200, '\0'), 'latin1'), refused: 'tipo' },
  { name: 'a JPEG compressed by gzip', make: async () => gzipSync(await jpeg()), refused: 'tipo' },
  {
    name: 'the first bytes of a JPEG and a page',
    make: () => Buffer.from('\xff\xd8\xff\xe0<script>alert(1)</script>', 'latin1'),
    refused: 'danada',
  },
  {
    name: 'the first half of a JPEG',
    make: async () => {
      const file = await jpeg()
      return file.subarray(0, file.length / 2)
    },
    refused: 'danada',
  },
  {
    name: 'the first half of a PNG',
    make: async () => {
      const file = await noise(300, 300).png().toBuffer()
      return file.subarray(0, file.length / 2)
    },
    refused: 'danada',
  },
  {
    name: 'a WebP cut short',
    make: async () => (await noise(300, 300).webp().toBuffer()).subarray(0, 900),
    refused: 'danada',
  },
  {
    name: 'a PNG of 50,000 × 50,000 in a kilobyte',
    make: () => png({ width: 50_000, height: 50_000 }),
    refused: 'grande',
  },
  {
    name: 'a JPEG of 65,500 × 65,500 in few kilobytes',
    make: async () => withSize(await jpeg(), 65_500, 65_500),
    refused: 'grande',
  },
  {
    name: '49 megapixels of 16 bits and four channels',
    make: () => png({ width: 10_000, height: 4_900, depth: 16 }),
    refused: 'grande',
  },
  { name: '1 × 100,000', make: () => png({ width: 1, height: 100_000 }), refused: 'grande' },
  {
    name: 'a pixel that counts its readers',
    make: () => png({ width: 1, height: 1, pixels: Buffer.alloc(5) }),
    refused: 'chica',
  },
  {
    name: 'an animated WebP',
    make: () =>
      sharp(randomBytes(64 * 192 * 3), { raw: { width: 64, height: 192, channels: 3, pageHeight: 64 } })
        .webp()
        .toBuffer(),
    refused: 'animada',
  },
  { name: 'a PNG whose pixels are too few', make: () => png({ width: 6_000, height: 5_000 }), refused: 'danada' },
]

/** Valid images with something hidden in them: accepted or not, nothing of it is passed on. */
const CARRIERS: { name: string; make: () => Buffer | Promise<Buffer> }[] = [
  {
    name: 'a JPEG of 12,000 × 4,000 with the data of a small one',
    make: async () => withSize(await jpeg(), 12_000, 4_000),
  },
  {
    name: 'a JPEG with a script behind it',
    make: async () => Buffer.concat([await jpeg(), Buffer.from('<script>alert(1)</script>PK\x03\x04')]),
  },
  {
    name: 'a JPEG with a script in its EXIF data',
    make: () =>
      noise(400, 300)
        .withExif({ IFD0: { Copyright: '<script>alert(1)</script>' } })
        .jpeg()
        .toBuffer(),
  },
  {
    name: 'a PNG with a text of 256 MB',
    make: () =>
      png({
        width: 80,
        height: 80,
        pixels: smallPixels,
        more: [chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), bomb()]))],
      }),
  },
  {
    name: 'a PNG with a colour profile of 256 MB',
    make: () =>
      png({
        width: 80,
        height: 80,
        pixels: smallPixels,
        more: [chunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), bomb()]))],
      }),
  },
]

describe('hostile photos', () => {
  let partner: PhotoServer
  let download: Download
  let impatient: Download
  before(async () => {
    partner = await openPhotoServer()
    const config = readConfig({ ALLOW_PRIVATE_CALLBACKS: `127.0.0.1/32:${partner.port}` })
    download = openDownloader({ config, ca: receiverCa() })
    impatient = openDownloader({ config, ca: receiverCa(), times: { totalMs: 500 } })
  })
  after(() => partner.close())

  for (const { name, make, refused } of FILES)
    it(`refused as ${refused}: ${name}`, async () => {
      const result = await resize(await make(), NEVER)
      assert.ok('refused' in result)
      assert.equal(result.refused, refused)
      const { peakKb = 0 } = result
      assert.ok(refused === 'tipo' || (peakKb > 0 && peakKb < MAX_PEAK_KB), `${peakKb} kB`)
    })

  for (const { name, make } of CARRIERS)
    it(`nothing of it is passed on: ${name}`, async () => {
      const result = await resize(await make(), NEVER)
      assert.ok((result.peakKb ?? 0) < MAX_PEAK_KB, `${result.peakKb} kB`)
      if ('refused' in result) return assert.equal(result.refused, 'danada')
      for (const { bytes } of result.files) {
        assert.ok(bytes.length < 200_000)
        assert.ok(!bytes.includes('script') && !bytes.includes('PK\x03\x04'))
      }
    })

  it('killed when its time is over: a JPEG with a thousand scans', async () => {
    const file = withScans(await noise(1_500, 1_000).jpeg({ progressive: true }).toBuffer(), 1_000)
    const result = await resize(file, NEVER, 1_000)
    assert.ok('refused' in result)
    assert.ok(['lenta', 'danada'].includes(result.refused), result.refused)
  })

  it('tried again once if its time was over, and not counted as an attempt if its turn did not come in time', async () => {
    const database = await createDatabase()
    const folder = await mkdtemp(join(tmpdir(), 'rodado-hostile-'))
    try {
      const config = readConfig({ ALLOW_PRIVATE_CALLBACKS: `127.0.0.1/32:${partner.port}` })
      const storage = openPhotoStorage({ photosUrl: pathToFileURL(folder).href, dataDir: folder })
      const { store: db } = database
      const open = (resizeLimitMs: number) =>
        photoHandler({ db, storage, config, ca: receiverCa(), resizeLimitMs }).deliver
      const deliver = open(1)
      partner.files.set('/slow.jpg', await jpeg())
      const rowOf = (attempts: number) => {
        return { id: 1, attempts, lease: '', queue: 1, takenMs: 0, url: `${partner.url}/slow.jpg` }
      }
      const attempt = (attempts: number, signal = NEVER) => deliver(rowOf(attempts), signal, 120_000)
      const slow = { reason: 'lenta', code: 'lenta' }
      assert.deepEqual(await attempt(1), { kind: 'postponed', ...slow })
      assert.deepEqual(await attempt(2), { kind: 'failed', ...slow })

      const ending = new AbortController()
      const late = await db.transaction(async (tx) => {
        await tx.query(sql`lock table photo_files in exclusive mode`)
        const outcome = attempt(1, ending.signal)
        await untilBlocked(db)
        ending.abort()
        return { outcome }
      })
      assert.deepEqual(await late.outcome, { kind: 'returned' })

      const limitMs = 60_000
      assert.deepEqual(await open(limitMs)(rowOf(1), NEVER, limitMs), { kind: 'returned' }, 'too little time is left')
    } finally {
      await database.drop()
      await rm(folder, { recursive: true })
    }
  })

  it('tried again when its process does not start', async () => {
    const { execPath } = process
    process.execPath = '/nonexistent/node'
    try {
      assert.deepEqual(await resize(await jpeg(), NEVER), { refused: 'lenta', retry: 'yes' })
    } finally {
      process.execPath = execPath
    }
  })

  const answers: { name: string; error: string; final?: true; serve: Parameters<PhotoServer['files']['set']>[1] }[] = [
    { name: 'no bytes', error: 'vacia', final: true, serve: (response) => response.writeHead(200).end() },
    { name: 'a status other than 200', error: 'respuesta-403', serve: (response) => response.writeHead(403).end('no') },
    {
      name: 'a length over the limit',
      error: 'pesada',
      final: true,
      serve: (response) => response.writeHead(200, { 'content-length': MAX_PHOTO_BYTES + 1 }).flushHeaders(),
    },
    {
      name: 'bytes without end',
      error: 'pesada',
      final: true,
      serve: (response) => {
        response.writeHead(200)
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        }
        response.on('drain', more)
        more()
      },
    },
    {
      name: 'a chunk whose extension has no end',
      error: 'pesada',
      final: true,
      serve: ({ socket }) => {
        socket?.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;')
        const more = () => {
          while (socket?.writable && socket.write(Buffer.alloc(65_536, 'x')));
        }
        socket?.on('drain', more)
        more()
      },
    },
    {
      name: 'a server that sends a byte and waits',
      error: 'tiempo',
      serve: (response) => void response.writeHead(200).write('x'),
    },
    { name: 'a server that never responds', error: 'tiempo', serve: () => undefined },
    { name: 'a connection that breaks', error: 'conexion', serve: (response) => response.socket?.destroy() },
    {
      name: 'a redirect to this machine',
      error: 'direccion',
      final: true,
      serve: (response) => response.writeHead(302, { location: 'https://127.0.0.1:22/' }).end(),
    },
    {
      name: 'a redirect to a name of this machine',
      error: 'direccion',
      final: true,
      serve: (response) => response.writeHead(302, { location: 'http://localhost:5432/' }).end(),
    },
    {
      name: 'a redirect to the data of a cloud',
      error: 'direccion',
      final: true,
      serve: (response) => response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
    },
    {
      name: 'a redirect to a file',
      error: 'redirecciones',
      final: true,
      serve: (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    },
    {
      name: 'a redirect to itself',
      error: 'redirecciones',
      final: true,
      serve: (response) => response.writeHead(302, { location: encodeURI('/a redirect to itself') }).end(),
    },
  ]
  for (const { name, error, final, serve } of answers)
    it(`${final ? 'refused' : 'to be tried again'} as ${error}: ${name}`, async () => {
      const path = `/${encodeURIComponent(name)}`
      partner.files.set(path, serve)
      const get = error === 'tiempo' ? impatient : download
      assert.deepEqual(await get(`${partner.url}${path}`, NEVER), { error, ...(final && { final }) })
    })

  it('a redirect that stays where callbacks may lead is followed', async () => {
    partner.files.set('/moved', (response) => response.writeHead(301, { location: '/there.jpg' }).end())
    partner.files.set('/there.jpg', await jpeg())
    const result = await download(`${partner.url}/moved`, NEVER)
    assert.ok('bytes' in result)
  })

  it('every code has a text', () => {
    for (const code of [...PHOTO_ERRORS, 'respuesta']) assert.ok(hasMessage(`aviso.photo.error.${code}`), code)
  })
})
