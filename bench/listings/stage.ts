import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COLUMNS, inRow, inTable, typed } from '../../src/resources/publicaciones/columns.ts'
import { openClient } from '../database.ts'
import type { Installation } from '../installation.ts'
import { pinned } from '../machine.ts'
import { ending, NODE_FLAGS, plainEnvironment } from '../server-process.ts'
import { keptBatches } from './rows.ts'

const UPSERT = fileURLToPath(new URL('../baselines/upsert.js', import.meta.url))

/** The bare statement: the rows of a batch, put in or written over, with every column that a listing has. */
const STATEMENT = `
  insert into publicaciones (modo, agencia_id, app_id, ${inTable(COLUMNS).text})
  select 'produccion', $2, (select min(id) from apps), ${inRow(COLUMNS).text}
  from json_to_recordset($1) as row (${typed(COLUMNS).text})
  on conflict (agencia_id, lower(external_id), app_id) where estado <> 'Archivada' do update
  set ${COLUMNS.map((column) => inTable([column]).text)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}, updated_at = now()`

export interface Stage {
  /** Three agencies that have nothing yet: one for each side. */
  fresh(): Promise<{ ours: string; usual: string; bareId: number }>
  bare: { run(agenciaId: number, pass: 0 | 1, batch: number): Promise<void>; cpuMicros(): Promise<number> }
  leave(): Promise<void>
}

/** Dealers with a package that holds everything, and the bare statement in a process on the servers' core. */
export async function setStage({ connection, folder }: Installation): Promise<Stage> {
  const client = await openClient(connection)
  const file = join(folder, 'listings.json')
  const batches = [keptBatches(0, 'bare@agencias.example'), keptBatches(1, 'bare@agencias.example')]
  await writeFile(file, JSON.stringify({ connection, text: STATEMENT, batches }))
  const child = await startBareStatement(file)
  const end = ending(child)
  const ask = async <T>(order: unknown): Promise<T> => {
    const answer = once(child, 'message')
    child.send(order as object)
    return (await answer)[0] as T
  }
  return {
    async fresh() {
      const [ours, usual, bare] = ['ours', 'usual', 'bare'].map(
        (side) => `${side}-${randomUUID().slice(0, 8)}@agencias.example`,
      )
      const { rows } = await client.query<{ id: number }>(MAKE_DEALERS, [[ours, usual, bare]])
      await client.query('vacuum analyze publicaciones')
      return { ours: ours ?? '', usual: usual ?? '', bareId: rows[2]?.id ?? 0 }
    },
    bare: {
      run: async (agenciaId, pass, batch) => void (await ask({ agenciaId, pass, batch })),
      cpuMicros: () => ask('cpu'),
    },
    async leave() {
      await end()
      await client.end()
    },
  }
}

async function startBareStatement(file: string): Promise<ChildProcess> {
  const [program, args] = pinned('server', process.execPath, [...NODE_FLAGS, UPSERT, file])
  const child = spawn(program, args, { env: plainEnvironment(), stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await once(child, 'message')
  return child
}

const MAKE_DEALERS = `
  with made as (
    insert into agencias (modo, admin_mail, nombre) select 'produccion', mail, mail from unnest($1::text[]) mail
    returning id, admin_mail
  ), people as (
    insert into accounts (modo, email) select 'produccion', admin_mail from made returning id, email
  ), work as (
    insert into operadores (agencia_id, account_id, rol)
    select made.id, people.id, 'administrador' from made join people on people.email = made.admin_mail
  ), contracted as (
    insert into paquetes (agencia_id, nombre, desde, hasta, alta) select id, 'Todo', '2020-01-01', '2049-12-31', 1000000 from made
  ), shown as (
    insert into asociaciones (app_id, agencia_id, editar) select (select min(id) from apps), id, true from made
  )
  select id from made order by id`
