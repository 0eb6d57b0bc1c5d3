import { FLAG } from '@rodado/cli'
import { retryAllPhotos } from '../photos/photo.ts'
import { defineCommand } from './command.ts'
import { withStore } from './with-store.ts'

/** Fetches photos of listings again. */
export const run = defineCommand('', { todas: FLAG }, async ({ todas = false }, { config }) => {
  const queued = await withStore(config, ({ store }) => retryAllPhotos(store, todas ? 'all' : 'failed'))
  return { json: { Fotos: queued }, text: `${queued} photos are queued; a worker fetches them.\n` }
})
