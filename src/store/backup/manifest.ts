import type { Partition, Sequence } from './tables.ts'

/** What stands first in a backup: all that must be known before anything is touched. */
export interface Manifest {
  madeAt: string
  /** The version of Rodado that made it. */
  rodado: string
  postgres: string
  /** How far the database was migrated, in order. */
  migrations: string[]
  /** Tells whether a master key opens its secrets, which stay sealed in it. */
  masterKeyFingerprint: string
  /** Where feeds were: what comes after a restore must stand behind every cursor that was handed out. */
  feedHorizon: string
  partitions: Partition[]
}

/** What a backup says in JSON, in this order: the manifest, each table before and after its rows, the end. */
export type Words =
  | { kind: 'manifest'; manifest: Manifest }
  | { kind: 'table'; name: string; columns: string[] }
  | { kind: 'table end'; name: string; rows: number }
  | { kind: 'end'; sequences: Sequence[]; tables: number; rows: number }

/** Who watches: a table and how many of its rows are through, its last call with `done`. */
export type Watch = (table: string, rows: number, done: boolean) => void
