import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import sharp from 'sharp'
import sql from 'sql-template-tag'
import { urlOf } from '../../tests/support/database.ts'
import { makeShop, type Shop } from '../../tests/support/listing.ts'
import { openPhotoServer, type PhotoServer } from '../../tests/support/photo-server.ts'
import { receiverCa } from '../../tests/support/receiver.ts'
import { startServer, type TestServer } from '../../tests/support/server.ts'
import { until } from '../../tests/support/until.ts'
import { run } from '../cli/run.ts'
import { conclude } from '../outbox/settlement.ts'
import { photoHandler } from './handler.ts'
import { type Photo, photoHref, photoNames, photosOf, retryAllPhotos, type StoredPhoto, WIDTHS } from './photo.ts'
import { queuePhotos } from './queue.ts'
import { removeUnusedPhotos } from './remove-unused.ts'
import { openS3 } from './s3.ts'

/** Making copies takes a second of a core, and much longer on a busy machine. */
const PATIENCE_MS = 120_000

describe('photos of listings', () => {
  let partner: PhotoServer
  let server: TestServer
  let shop: Shop
  let folder: string
  let made = 0
  before(async () => {
    partner = await openPhotoServer()
    folder = await mkdtemp(join(tmpdir(), 'rodado-photos-'))
    const env = { DATA_DIR: folder, ALLOW_PRIVATE_CALLBACKS: `127.0.0.1/32:${partner.port}` }
    server = await startServer({ env, worker: { sending: { ca: receiverCa() } } })
    shop = await makeShop(server, await server.newApp())
  })
  after(async () => {
    await server.stop()
    await partner.close()
    await rm(folder, { recursive: true })
  })

  /** The partner's server has that file; returns its address. */
  function serve(file: Buffer): string {
    const path = `/${++made}.jpg`
    partner.files.set(path, file)
    return `${partner.url}${path}`
  }
  async function photo(background: string, width = 800, height = 600): Promise<Buffer> {
    return sharp({ create: { width, height, channels: 3, background } })
      .jpeg()
      .toBuffer()
  }
  const publish = async (Fotos: string[]) => (await shop.post({ ExternalId: `P-${++made}`, Fotos })).json
  async function photosAt({ Aviso, Fotos }: { Aviso: number; Fotos: string[] }): Promise<Photo[]> {
    return (await photosOf(server.store, [{ id: Aviso, fotos: Fotos }])).get(Aviso) ?? []
  }
  /** Queues what changed until every photo of the listing is in one of these states. */
  const settled = (listing: { Aviso: number; Fotos: string[] }, estado = 'lista') =>
    until(async () => {
      await queuePhotos(server.store)
      const photos = await photosAt(listing)
      return photos.every((each) => each.estado === estado) && photos
    }, PATIENCE_MS)
  const storedAt = (photos: Photo[], at = 0) => photos[at]?.stored as StoredPhoto
  const fetchCopy = (href: string, headers: Record<string, string> = {}) => fetch(`${server.url}${href}`, { headers })

  it('200: copies are made upright, without place or EXIF data, in four widths and two formats, and cached for ever', async () => {
    const file = await sharp({ create: { width: 3000, height: 2000, channels: 3, background: '#a33' } })
      .withExif({
        IFD0: { Copyright: 'Estudio Lente' },
        IFD3: {
          GPSLatitudeRef: 'S',
          GPSLatitude: '34/1 36/1 0/1',
          GPSLongitudeRef: 'W',
          GPSLongitude: '58/1 22/1 0/1',
        },
      })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const listing = await publish([serve(file)])
    assert.deepEqual(listing.Fotos, [`${partner.url}/${made - 1}.jpg`], 'the partner’s addresses stay as they were')
    const stored = storedAt(await settled(listing))
    assert.deepEqual([stored.width, stored.height], [1920, 2880])
    for (const width of [320, 640, 1080, 1920] as const)
      for (const [format, type] of [
        ['webp', 'image/webp'],
        ['jpg', 'image/jpeg'],
      ] as const) {
        const response = await fetchCopy(photoHref(stored, width, format))
        assert.equal(response.status, 200)
        assert.equal(response.headers.get('content-type'), type)
        assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
        assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
        assert.equal(response.headers.get('content-encoding'), null)
        const bytes = Buffer.from(await response.arrayBuffer())
        const { width: wide, height, exif, icc, xmp, orientation } = await sharp(bytes).metadata()
        assert.deepEqual([wide, height], [width, width * 1.5])
        assert.deepEqual([exif, icc, xmp, orientation], [undefined, undefined, undefined, undefined])
        const etag = response.headers.get('etag') ?? ''
        const again = await fetchCopy(photoHref(stored, width, format), { 'if-none-match': etag })
        assert.equal(again.status, 304)
      }
    const head = await fetch(`${server.url}${photoHref(stored, 320, 'jpg')}`, { method: 'HEAD' })
    assert.equal(head.status, 200)
  })

  it('a photo that is fetched again keeps its copies, also if it is gone; a copy that was lost is made again', async () => {
    const listing = await publish([serve(await photo('#456'))])
    const stored = storedAt(await settled(listing))
    await rm(join(folder, 'photos', stored.hash.slice(0, 2), stored.hash, '640.jpg'))
    await retryAllPhotos(server.store, 'all')
    await until(async () => (await fetchCopy(photoHref(stored, 640, 'jpg'))).ok, PATIENCE_MS)
    partner.files.clear()
    assert.ok((await retryAllPhotos(server.store, 'all')) > 0)
    const [again] = await photosAt(listing)
    assert.deepEqual([again?.estado, again?.stored?.width], ['lista', 800])
  })

  it('404: what is no copy, and a path that leads elsewhere', async () => {
    const stored = storedAt(await settled(await publish([serve(await photo('#123'))])))
    const { hash } = stored
    for (const path of [
      `${hash}/321.webp`,
      `${hash}/320.png`,
      `${'0'.repeat(64)}/320.webp`,
      '..%2f..%2fsecret/320.webp',
      `${hash}/..%2f320.webp`,
    ]) {
      const response = await fetchCopy(`/fotos/${path}`)
      assert.equal(response.status, 404, path)
      assert.equal(response.headers.get('cache-control')?.includes('immutable') ?? false, false)
    }
  })

  it('503: a copy that cannot be read now', async () => {
    const { hash } = storedAt(await settled(await publish([serve(await photo('#124'))])))
    const copies = join(folder, 'photos', hash.slice(0, 2), hash)
    await rm(copies, { recursive: true })
    await symlink(copies, copies)
    const response = await fetchCopy(`/fotos/${hash}/320.webp`)
    assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '5'])
    await rm(copies)
  })

  it('a photo of two listings is stored once, and a small one is not enlarged', async () => {
    const file = await photo('#452', 500, 400)
    const [one, other] = [await publish([serve(file)]), await publish([serve(file)])]
    const [first, second] = [storedAt(await settled(one)), storedAt(await settled(other))]
    assert.equal(first.hash, second.hash)
    const files = await readdir(join(folder, 'photos', first.hash.slice(0, 2), first.hash))
    assert.deepEqual(files.sort(), ['320.jpg', '320.webp', '640.jpg', '640.webp'])
    const { width } = await sharp(
      Buffer.from(await (await fetchCopy(photoHref(first, 640, 'jpg'))).arrayBuffer()),
    ).metadata()
    assert.equal(width, 500)
  })

  it('a photo that is refused fails at once and delays no other, until `rodado fotos`; one that is missing is tried again', async () => {
    const [good, svg, missing] = [serve(await photo('#999')), serve(Buffer.from('<svg/>')), `${partner.url}/later.jpg`]
    const listing = await publish([svg, missing, good])
    const photos = await until(async () => {
      await queuePhotos(server.store)
      const all = await photosAt(listing)
      const isOver = all[2]?.estado === 'lista' && all[0]?.estado === 'fallida' && all[1]?.error !== null
      return isOver && all
    }, PATIENCE_MS)
    assert.deepEqual(
      photos.map(({ estado, error }) => [estado, error]),
      [
        ['fallida', 'tipo'],
        ['pendiente', 'respuesta-404'],
        ['lista', null],
      ],
    )
    partner.files.set('/later.jpg', await photo('#777'))
    await server.store.query(sql`update photos set due_at = now() where url = ${missing}`)
    await until(async () => (await photosAt(listing))[1]?.estado === 'lista', PATIENCE_MS)
    const [row] = await server.store.query<{ attempts: number }>(
      sql`select attempts from photos where url = ${missing}`,
    )
    assert.equal(row?.attempts, 2)

    partner.files.set(new URL(svg).pathname, await photo('#555'))
    const out = new PassThrough()
    const env = { DATABASE_URL: urlOf(server.connection), MASTER_KEY: server.masterKey.toString('hex') }
    assert.equal(await run(['fotos', '--json'], { out, err: out, env }), 0)
    assert.deepEqual(JSON.parse(String(out.read())), { Fotos: 1 })
    await until(async () => (await photosAt(listing))[0]?.estado === 'lista', PATIENCE_MS)
  })

  it('an edit removes photos that are gone and queues new ones; an archived listing has none', async () => {
    const [first, second] = [serve(await photo('#811')), serve(await photo('#822'))]
    const listing = await publish([first])
    await settled(listing)
    const edited = (await shop.put(listing.ExternalId, { ...listing, Fotos: [second] })).json
    await settled(edited)
    const urls = async () =>
      (
        await server.store.query<{ url: string }>(sql`select url from photos where publicacion_id = ${listing.Aviso}`)
      ).map(({ url }) => url)
    assert.deepEqual(await urls(), [second])
    await shop.remove(listing.ExternalId)
    await until(async () => {
      await queuePhotos(server.store)
      return (await urls()).length === 0
    })
  })

  it('copies that no listing uses are removed after a day; those in use stay', async () => {
    const [kept, gone] = [await publish([serve(await photo('#131'))]), await publish([serve(await photo('#242'))])]
    const [used, unused] = [storedAt(await settled(kept)), storedAt(await settled(gone))]
    await shop.remove(gone.ExternalId)
    await until(async () => {
      await queuePhotos(server.store)
      return (await photosAt(gone))[0]?.estado === 'pendiente'
    })
    const statusOf = async (stored: StoredPhoto) => (await fetchCopy(photoHref(stored, 320, 'webp'))).status
    await removeUnusedPhotos(server.store, server.photoStorage)
    assert.deepEqual([await statusOf(used), await statusOf(unused)], [200, 200])
    await server.store.query(sql`update photo_files set used_at = now() - interval '25 hours'`)
    await removeUnusedPhotos(server.store, server.photoStorage)
    assert.deepEqual([await statusOf(used), await statusOf(unused)], [200, 404])
  })

  it('copies are stored side by side, and no longer than the attempt lasts', async (t) => {
    const bucket = await openBucket()
    t.after(bucket.close)
    const storage = openS3(bucket.url, PATIENCE_MS)
    const handler = photoHandler({ db: server.store, storage, config: server.config, ca: receiverCa() })
    const row = { url: serve(await photo('#363', 320, 240)) } as Parameters<typeof handler.deliver>[0]
    const stopping = new AbortController()
    bucket.hold('PUT')
    const attempt = handler.deliver(row, stopping.signal, PATIENCE_MS)
    await until(() => bucket.held() === 2, PATIENCE_MS)
    stopping.abort()
    assert.deepEqual(await attempt, { kind: 'postponed', reason: 'guardar', code: 'AbortError' })
    bucket.letGo()
    assert.deepEqual(await handler.deliver(row, new AbortController().signal, PATIENCE_MS), { kind: 'delivered' })
  })

  describe('removal', () => {
    let bucket: Awaited<ReturnType<typeof openBucket>>
    let handler: ReturnType<typeof photoHandler>
    beforeEach(async () => {
      bucket = await openBucket()
      handler = photoHandler({
        db: server.store,
        storage: openS3(bucket.url, PATIENCE_MS),
        config: server.config,
        ca: receiverCa(),
      })
    })
    afterEach(() => bucket.close())

    const filesOf = ({ hash }: { hash?: string }) =>
      ['320.jpg', '320.webp', '640.jpg', '640.webp'].map((name) => `${hash}/${name}`)
    const REMOVALS = photoNames('', WIDTHS).length
    const deliver = (row: Row) => handler.deliver(row, new AbortController().signal, PATIENCE_MS)
    type Row = Parameters<typeof handler.deliver>[0]

    /** Has copies in the bucket that nobody has used for a day. */
    async function unusedPhoto(background: string): Promise<Row> {
      const row = { url: serve(await photo(background, 400, 300)) } as Row
      assert.deepEqual(await deliver(row), { kind: 'delivered' })
      await server.store.query(
        sql`update photo_files set used_at = now() - interval '25 hours' where hash = ${row.hash}`,
      )
      return row
    }

    it('feeds go on while a bucket is slow, and the same photo is stored again afterwards', async () => {
      const row = await unusedPhoto('#353')
      bucket.hold('DELETE')
      const removing = removeUnusedPhotos(server.store, openS3(bucket.url, PATIENCE_MS))
      await until(() => bucket.held() === REMOVALS)
      const [written] = await server.store.query<{ xid: string }>(sql`select pg_current_xact_id()::text as xid`)
      await until(async () => {
        const [feed] = await server.store.query<{ ahead: boolean }>(
          sql`select feed_horizon() > ${written?.xid}::xid8 as ahead`,
        )
        return feed?.ahead
      })
      const putOff = { kind: 'postponed', reason: 'guardar', code: 'removal', retryAfterSeconds: 15 } as const
      const outcome = await deliver(row)
      assert.deepEqual(outcome, putOff)
      const { settlement } = conclude({ ...row, attempts: 1 }, putOff, handler.schedule, 0)
      assert.deepEqual([settlement.usesAttempt, settlement.delaySeconds], [false, 15])
      bucket.letGo()
      await removing
      assert.deepEqual(await deliver(row), { kind: 'delivered' })
      assert.deepEqual([...bucket.names()].toSorted(), filesOf(row))
    })

    it('a node that stops ends the removal that it has begun, and begins no other', async () => {
      const hashes = [(await unusedPhoto('#354')).hash, (await unusedPhoto('#355')).hash]
      bucket.hold('DELETE')
      const stopping = new AbortController()
      const stopped = removeUnusedPhotos(server.store, openS3(bucket.url, PATIENCE_MS), stopping.signal)
      await until(() => bucket.held() === REMOVALS)
      stopping.abort()
      bucket.letGo()
      await assert.rejects(stopped, { name: 'AbortError' })
      const left = await server.store.query<{ hash: string }>(
        sql`select hash from photo_files where hash = any (${hashes})`,
      )
      assert.equal(left.length, 1)
      assert.deepEqual([...bucket.names()].toSorted(), filesOf(left[0] ?? {}))
      await removeUnusedPhotos(server.store, openS3(bucket.url, PATIENCE_MS))
      assert.deepEqual(bucket.names(), [])
    })

    it('a photo whose removal was not answered is stored again, although its files are still there', async () => {
      const row = await unusedPhoto('#356')
      bucket.hold('DELETE')
      await assert.rejects(
        removeUnusedPhotos(server.store, openS3(bucket.url, 500)),
        ({ errors }: AggregateError) => errors.length === 1 && errors[0].name === 'TimeoutError',
      )
      assert.deepEqual([...bucket.names()].toSorted(), filesOf(row))
      const late = bucket.held()
      bucket.hold('PUT')
      const again = deliver(row)
      await until(() => bucket.held() === late + filesOf(row).length, PATIENCE_MS)
      bucket.letGo() // in their order: the removals arrive, then the copies
      assert.deepEqual(await again, { kind: 'delivered' })
      assert.deepEqual([...bucket.names()].toSorted(), filesOf(row))
    })

    it('a photo that cannot be removed does not keep the others, and is removed at the next run', async () => {
      const rows = [await unusedPhoto('#357'), await unusedPhoto('#358')]
      const [first = '', second = ''] = rows.map(({ hash }) => hash ?? '').toSorted()
      const storage = openS3(bucket.url, PATIENCE_MS)
      const failing = {
        ...storage,
        remove: (name: string) => (name.startsWith(first) ? Promise.reject(new Error('no')) : storage.remove(name)),
      }
      await assert.rejects(
        removeUnusedPhotos(server.store, failing),
        ({ errors }: AggregateError) => errors.length === 1 && errors[0].message === 'no',
      )
      assert.ok(!bucket.names().some((name) => name.startsWith(second)))
      await removeUnusedPhotos(server.store, storage)
      assert.deepEqual(bucket.names(), [])
    })
  })
})

/** A bucket that can hold requests of a method back. */
async function openBucket() {
  const files = new Map<string, Buffer>()
  const waiting: (() => void)[] = []
  let heldMethod: string | undefined
  const server = createServer(async (request, response) => {
    const { method, url = '' } = request
    const body = await buffer(request)
    if (method === heldMethod) await new Promise<void>((resolve) => waiting.push(resolve))
    if (method === 'PUT') files.set(url, body)
    if (method === 'DELETE') files.delete(url)
    response.writeHead(method === 'PUT' || method === 'DELETE' || files.has(url) ? 200 : 404).end(files.get(url))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `s3://key:secret@127.0.0.1:${(server.address() as AddressInfo).port}/photos?tls=no`,
    names: () => [...files.keys()].map((path) => path.replace('/photos/', '')),
    hold(method: string) {
      heldMethod = method
    },
    held: () => waiting.length,
    letGo() {
      heldMethod = undefined
      for (const proceed of waiting.splice(0)) proceed()
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
