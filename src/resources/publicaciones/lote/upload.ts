import type { App } from '../../../apps/app.ts'
import type { Rows } from '../../../http/body.ts'
import { fault, invalid } from '../../../http/problems.ts'
import type { Db } from '../../../store/db.ts'
import type { AgenciaOfApp } from '../../agencias/agencia.ts'
import { requireAgencia, requireLocked } from '../../agencias/read.ts'
import { detailContext } from '../details.ts'
import { lockCapacity, lockKey, type PublicacionesDeps, updateCapacity } from '../paquete.ts'
import { type AbsentPublicacion, countLive, keyOf, lockPublicaciones, readAbsent } from '../read.ts'
import { archivePublicaciones, insertRows, newRow, updateRows } from '../write.ts'
import { type PlannedRow, planRows, type Resultado, resultOf } from './plan.ts'
import { type Row, readRows } from './rows.ts'
import type { LoteQuery } from './schema.ts'

const MAX_ARCHIVED = 0.3 // of the live listings, unless confirmed; docs/decisions/listings.md

const NO_ROWS: Rows = { bytes: Buffer.alloc(0), isLines: false }

export interface Uploaded {
  agencia: AgenciaOfApp
  rows: (PlannedRow & { resultado: Resultado })[]
  /** The listings that a complete upload does not have, which are archived. */
  absent: AbsentPublicacion[]
}

/** Checks the association before it parses: an upload for a foreign agency costs nothing. It holds no locks. */
export async function readUpload(
  { store }: PublicacionesDeps,
  app: App,
  adminMail: string,
  sent: Rows | undefined,
  query: LoteQuery,
): Promise<Row[]> {
  await requireAgencia(store, app, adminMail)
  return readRows(sent ?? NO_ROWS, query)
}

/** One transaction and a few statements. A row that fails does not affect the others. */
export async function upload(
  deps: PublicacionesDeps,
  app: App,
  adminMail: string,
  rows: Row[],
  query: LoteQuery,
): Promise<Uploaded> {
  return deps.store.withLock(lockKey(app.modo, adminMail), async (tx) => {
    const agencia = await requireLocked(tx, app, adminMail)
    const capacity = await lockCapacity(tx, agencia.id, deps)
    const named = rows.flatMap(({ externalId }) => externalId ?? [])
    const found = await lockPublicaciones(tx, app, agencia.id, named)
    const current = new Map(found.map((each) => [keyOf(each.externalId), each]))
    let absent: AbsentPublicacion[] = []
    if (query.modo === 'completo') {
      refuseNameless(rows)
      const live = await countLive(tx, app, agencia.id)
      refuseUnconfirmed(live - found.length, live, query)
      absent = await readAbsent(tx, app, agencia.id, named, { lock: !query.simular })
    }
    for (const each of absent) updateCapacity(capacity, each, undefined)

    const planned = await planRows(rows, { details: detailContext(deps, agencia), capacity, current })
    const results = planned.map((each) => ({ ...each, resultado: resultOf(each) }))
    if (!query.simular) await write(tx, app, agencia, results, absent)
    return { agencia, rows: results, absent }
  })
}

const namelessText = ({ fila }: Row) =>
  `La fila ${fila} no tiene un ExternalId válido: en modo completo no se puede saber qué archivar.`

function refuseNameless(rows: Row[]): void {
  const nameless = rows.find(({ named }) => !named)
  if (nameless) throw invalid({ _: [fault('requerido', namelessText(nameless))] })
}

/** Refuses to archive a large part of the live listings unless that is confirmed. */
function refuseUnconfirmed(absent: number, live: number, { confirmar, simular }: LoteQuery): void {
  if (absent <= live * MAX_ARCHIVED || confirmar || simular) return
  const share = Math.round((absent / live) * 100)
  const listings = live === 1 ? '1 publicación' : `${live} publicaciones`
  throw invalid(
    {
      confirmar: [
        fault(
          'sin-confirmar',
          `El lote archivaría ${absent} de ${listings} (${share} %): si es lo que quiere, confirme con true.`,
        ),
      ],
    },
    { Archivaria: absent, Vivas: live },
  )
}

async function write(
  tx: Db,
  app: App,
  { id: agenciaId }: AgenciaOfApp,
  rows: Uploaded['rows'],
  absent: AbsentPublicacion[],
): Promise<void> {
  if (absent.length > 0)
    await archivePublicaciones(
      tx,
      absent.map(({ id }) => id),
    )
  const owner = { modo: app.modo, agenciaId, appId: app.id }
  const created = rows.flatMap(({ row, next, resultado }) =>
    next && resultado === 'creada' ? newRow(owner, row.body.ExternalId, next) : [],
  )
  const changed = rows.flatMap(({ current, next, columns, resultado }) =>
    current && next && resultado === 'modificada' ? { current, ...next, columns } : [],
  )
  if (created.length > 0) await insertRows(tx, created)
  if (changed.length > 0) await updateRows(tx, changed)
}
