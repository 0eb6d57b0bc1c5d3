import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { readConfig } from '../../src/config.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const textOf = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8')
const SETTINGS = textOf('packaging/rodado.env')
describe('packaging/rodado.env', () => {
  const shown = new Map(
    [...SETTINGS.matchAll(/^#?([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )

  it('shows values that the server accepts', () => {
    const values = [...shown].map(([name, value]) => [name, value.replace(/^"(.*)"$/, '$1')])
    readConfig({ ...Object.fromEntries(values), MASTER_KEY: 'ab'.repeat(32) })
  })

  it('sets nothing by itself', () => assert.doesNotMatch(SETTINGS, /^[A-Z_]+=/m))

  it('is what compose.yaml gives to every container of the server, with its images pinned by digest', () => {
    const { services } = parse(textOf('compose.yaml'), { merge: true })
    for (const name of ['migrate', 'api', 'worker']) assert.equal(services[name].env_file, '.env', name)
    assert.match(services.postgres.image, /@sha256:[0-9a-f]{64}$/)
    assert.match(textOf('Dockerfile'), /^ARG NODE_IMAGE=\S+@sha256:[0-9a-f]{64}$/m)
  })
})
