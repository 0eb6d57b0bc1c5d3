import type { TObject } from 'typebox'
import type { App, Modo } from '../apps/app.ts'
import type { Matcher } from '../catalogue/match/matcher.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Faults } from '../resources/publicaciones/faults.ts'
import type { Db, Store } from '../store/db.ts'

/** What an import needs beside its rows. */
export interface TransferContext {
  store: Store
  matcher: Matcher
  clock: Clock
  config: Pick<Config, 'timeZone' | 'retentionDays' | 'country'>
  modo: Modo
  /** The apps of that mode by AppKey. */
  apps: ReadonlyMap<string, App>
  /** The app of every row, whatever the row says. */
  app: App | undefined
}

/** A record whose form is right. Faults of meaning are added to it, and it is then not written. */
export interface Row<Body> {
  fila: number
  body: Body
  faults: Faults
}

/** How many rows were new; the others without faults existed and are unchanged. */
interface Written {
  created: number
}

/** One kind of record that can be imported and exported. */
// biome-ignore lint/suspicious/noExplicitAny: each kind has its own body
export interface Kind<Body = any> {
  schema: TObject
  /** Changes a record before it is validated, as the API does. */
  normalize?(value: unknown): void
  /** Runs before the transaction, for what must not be in it. */
  prepare?(context: TransferContext, rows: Row<Body>[]): Promise<void>
  write(tx: Db, context: TransferContext, rows: Row<Body>[]): Promise<Written>
  /** A page of records after a key, in a fixed order. */
  read(db: Db, page: ExportPage): Promise<{ records: Body[]; next: unknown }>
}

interface ExportPage {
  modo: Modo
  /** Only of this agency. */
  agenciaId: number | undefined
  /** The last key of the page before; undefined for the first page. */
  after: unknown
  limit: number
  timeZone: string
}
