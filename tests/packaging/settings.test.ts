import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { type ConfigError, readConfig } from '../../src/config.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const textOf = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8')
const SETTINGS = textOf('packaging/rodado.env')

function faultsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return (error as ConfigError).faults
  }
}

describe('packaging/rodado.env', () => {
  const shown = new Map(
    [...SETTINGS.matchAll(/^#?([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )

  it('shows values that the server accepts', () => {
    const values = [...shown].map(([name, value]) => [name, value.replace(/^"(.*)"$/, '$1')])
    const faults = faultsOf({ ...Object.fromEntries(values), MASTER_KEY: 'ab'.repeat(32) })
    // Others say that settings belong together, such as a key that has no example.
    assert.deepEqual(
      faults.filter((fault) => fault.includes(' must be ')),
      [],
    )
  })

  it('sets nothing by itself', () => assert.doesNotMatch(SETTINGS, /^[A-Z_]+=/m))

  it('is what compose.yaml gives to every container of the server, with its images pinned by digest', () => {
    const { services } = parse(textOf('compose.yaml'), { merge: true })
    for (const name of ['api', 'worker']) {
      const { env_file, environment, volumes } = services[name]
      assert.deepEqual([env_file, environment.AUTO_MIGRATE, environment.DATA_DIR], ['.env', 'si', '/data'], name)
      assert.deepEqual(volumes, ['data:/data'], 'the API serves the photos that the worker stores')
    }
    assert.match(services.postgres.image, /@sha256:[0-9a-f]{64}$/)
    assert.match(textOf('Dockerfile'), /^ARG NODE_IMAGE=\S+@sha256:[0-9a-f]{64}$/m)
  })
})
