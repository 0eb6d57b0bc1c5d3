import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { BUCKET, missingS3, type S3Server, SECRET, startS3 } from '../../tests/support/s3-server.ts'
import { readConfig } from '../config.ts'
import { photoName } from './photo.ts'
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
    } finally {
      await rm(folder, { recursive: true })
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
      await assert.rejects(wrong.put(NAME, Buffer.from('x'), 'image/webp'), /PHOTOS_URL answered 403 to PUT\.$/)
      const absent = storageAt(s3.url.replace(`/${BUCKET}`, '/absent'))
      await assert.rejects(absent.put(NAME, Buffer.from('x'), 'image/webp'), /bucket of PHOTOS_URL does not exist/)
    })
  })
})
