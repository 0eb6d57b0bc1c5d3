import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { BUCKET, missingS3, type S3Server, SECRET, startS3 } from '../../tests/support/s3-server.ts'
import { readConfig } from '../config.ts'
import { photoName } from './photo.ts'
import { openS3 } from './s3.ts'
import { openPhotoStorage } from './storage.ts'

const storageAt = (PHOTOS_URL: string) => openPhotoStorage(readConfig({ PHOTOS_URL }))
const NAME = photoName('ab'.repeat(32), 640, 'webp')

async function assertStores(url: string): Promise<void> {
  const storage = storageAt(url)
  assert.equal(await storage.get(NAME), undefined)
  const bytes = Buffer.from([0, 255, 10, 13, 0])
  await storage.put(NAME, bytes, 'image/webp')
  await storage.put(NAME, bytes, 'image/webp')
  assert.deepEqual([await storage.get(NAME), await storage.has(NAME)], [bytes, true])
  assert.deepEqual(await storageAt(url).get(NAME), bytes, 'another node reads it')
  await storage.remove(NAME)
  await storage.remove(NAME)
  assert.deepEqual([await storage.get(NAME), await storage.has(NAME)], [undefined, false])
}

describe('storage of photos', () => {
  it('a folder stores, returns and removes copies', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rodado-storage-'))
    try {
      await assertStores(pathToFileURL(folder).href)
      assert.deepEqual(await readdir(join(folder, NAME.slice(0, 2))), [], 'no empty folder is left')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('a folder keeps nothing of a copy that could not be stored', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rodado-storage-'))
    try {
      const inTheWay = join(folder, NAME.slice(0, 2), NAME)
      await mkdir(inTheWay, { recursive: true })
      const storage = storageAt(pathToFileURL(folder).href)
      await assert.rejects(storage.put(NAME, Buffer.from('x'), 'image/webp'), { code: 'EISDIR' })
      assert.deepEqual(await readdir(dirname(inTheWay)), ['640.webp'])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('an empty file in a folder, as a power cut may leave it, is no copy', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rodado-storage-'))
    try {
      const path = join(folder, NAME.slice(0, 2), NAME)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, '')
      const storage = storageAt(pathToFileURL(folder).href)
      assert.deepEqual([await storage.has(NAME), await storage.get(NAME)], [false, undefined])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('a folder that cannot be read has no copy: it is made and stored again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rodado-storage-'))
    try {
      const loop = join(folder, NAME.slice(0, 2))
      await symlink(loop, loop)
      assert.equal(await storageAt(pathToFileURL(folder).href).has(NAME), false)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('a bucket that only tells those who may list it what is missing has no copy; other refusals are errors', async () => {
    let code = 'AccessDenied'
    const aws = createServer((_, response) => response.writeHead(403).end(`<Error><Code>${code}</Code></Error>`))
    await once(aws.listen(0, '127.0.0.1'), 'listening')
    try {
      const storage = storageAt(`s3://key:secret@127.0.0.1:${(aws.address() as AddressInfo).port}/photos?tls=no`)
      assert.deepEqual([await storage.get(NAME), await storage.has(NAME)], [undefined, false])
      await assert.rejects(storage.put(NAME, Buffer.from('x'), 'image/webp'), /403 to PUT: AccessDenied\.$/)
      code = 'InvalidAccessKeyId'
      await assert.rejects(storage.get(NAME), /403 to GET: InvalidAccessKeyId\.$/)
    } finally {
      aws.close()
    }
  })

  it('a bucket that does not answer is an error after a time, also after a garbage collection', async () => {
    const silent = createServer(() => undefined)
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    setFlagsFromString('--expose-gc')
    const collecting = setInterval(runInNewContext('gc'), 50)
    try {
      const url = `s3://key:secret@127.0.0.1:${(silent.address() as AddressInfo).port}/photos?tls=no`
      const late = pause(10_000, 'no answer', { ref: false })
      const reading = openS3(url, 1_000).get(NAME)
      await assert.rejects(Promise.race([reading, late]), { name: 'TimeoutError' })
    } finally {
      clearInterval(collecting)
      silent.closeAllConnections()
      silent.close()
    }
  })

  it('a call to a busy bucket is repeated', async () => {
    const got: string[] = []
    const busy = createServer(async (request, response) => {
      got.push((await buffer(request)).toString())
      response.writeHead(got.length < 3 ? 503 : 200).end()
    })
    await once(busy.listen(0, '127.0.0.1'), 'listening')
    try {
      const storage = storageAt(`s3://key:secret@127.0.0.1:${(busy.address() as AddressInfo).port}/photos?tls=no`)
      await storage.put(NAME, Buffer.from('copy'), 'image/webp')
      assert.deepEqual(got, ['copy', 'copy', 'copy'])
    } finally {
      busy.close()
    }
  })

  describe('an S3-compatible store', { skip: missingS3() }, () => {
    let s3: S3Server
    before(async () => {
      s3 = await startS3()
    })
    after(() => s3?.stop())

    it('stores, returns and removes copies', () => assertStores(s3.url))

    it('also in a folder of the bucket', () => assertStores(s3.url.replace(`/${BUCKET}`, `/${BUCKET}/rodado`)))

    it('a wrong secret or bucket is an error that repeats no secret', async () => {
      const wrong = storageAt(s3.url.replace(SECRET, 'hush-hush'))
      await assert.rejects(
        wrong.put(NAME, Buffer.from('x'), 'image/webp'),
        /PHOTOS_URL answered 403 to PUT: SignatureDoesNotMatch\.$/,
      )
      const absent = storageAt(s3.url.replace(`/${BUCKET}`, '/absent'))
      await assert.rejects(absent.put(NAME, Buffer.from('x'), 'image/webp'), /bucket of PHOTOS_URL does not exist/)
    })
  })
})
