import pino from 'pino'
import { Registry } from 'prom-client'
import { type AppDeps, buildApp } from '../src/app.ts'
import { loadCatalogue } from '../src/catalogue/load.ts'
import { readConfig } from '../src/config.ts'
import type { ApiAudience } from '../src/http/openapi/audience.ts'
import type { Document } from '../src/http/openapi/document.ts'
import { documentOf } from '../src/http/openapi.ts'

/** The contract's files, by who calls what they describe. */
export const CONTRACTS: Record<ApiAudience, URL> = {
  partners: new URL('../contract/openapi.json', import.meta.url),
  site: new URL('../contract/openapi-interno.json', import.meta.url),
}

/**
 * The OpenAPI document for all audiences, with the default configuration and an address for support. Routes are declared
 * and not called, so no database is needed.
 */
export async function makeDocument(): Promise<Document> {
  const config = readConfig({ SUPPORT_MAIL: 'soporte@rodado.example' })
  const app = await buildApp(
    createRecords({
      config,
      clock: () => new Date(),
      nowMs: () => performance.now(),
      log: pino({ level: 'silent' }),
      catalogue: loadCatalogue(config.country, config.catalogueDir),
      metrics: new Registry(),
    }),
  )
  await app.ready()
  const document = documentOf(app)
  await app.close()
  return document
}

/** One value per line, so that a small change of the interface is a small diff. */
export const printDocument = (document: Document): string => `${JSON.stringify(document, null, 2)}\n`

/** Placeholder dependencies, which fail when used. */
function createRecords(real: Partial<AppDeps>): AppDeps {
  const standIn = (part: string) =>
    new Proxy(
      {},
      { get: (_, member) => () => Promise.reject(new Error(`The document needs no ${part}.${String(member)}.`)) },
    )
  return new Proxy(real, {
    get: (parts, part) => Reflect.get(parts, part) ?? standIn(String(part)),
  }) as AppDeps
}
