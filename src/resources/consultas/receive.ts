import type { Matcher } from '../../catalogue/match/matcher.ts'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { type Errors, invalid } from '../../http/problems.ts'
import { batch } from '../../store/batch.ts'
import type { Db } from '../../store/db.ts'
import { createKeyedMutex } from '../../store/keyed-mutex.ts'
import { autoFrom, chooseMeant, readAbout } from './about.ts'
import { findBySid } from './by-sid.ts'
import type { Consulta } from './consulta.ts'
import type { ConsultaCreate } from './create-schema.ts'
import { type Once, sameBody, type Used, usedForAnother } from './idempotency.ts'
import { type Draft, insertConsultas, type Origin } from './keep.ts'
import { type Candidate, lookUp, type Question } from './lookup.ts'
import { interesadoFrom, keysOf, personFaults } from './person.ts'

export interface ReceptionDeps {
  store: Db
  matcher: Matcher
  clock: Clock
  config: Pick<Config, 'timeZone'>
}

/** An inquiry that is kept, and the agency's mail, under which it is found. */
export interface Received {
  consulta: Consulta
  adminMail: string
}

/** Where inquiries come in. A lead is not refused for the state of its listing. */
export interface ConsultaIntake {
  receive(origin: Origin, body: ConsultaCreate): Promise<Received>
}

/** Measured: two batches at a time cost half as much again for each inquiry, since each is half as large. */
const BATCHES = { maxItems: 50, maxWaitMs: 100 }

/** One question finds out what an inquiry is about, one statement keeps it. */
export function createConsultaIntake({ store, matcher, clock, config }: ReceptionDeps): ConsultaIntake {
  const ask = batch((questions: Question[]) => lookUp(store, questions, clock()), BATCHES)
  const keep = batch((drafts: Draft[]) => insertConsultas(store, drafts, clock(), config.timeZone), BATCHES)

  const withLock = createKeyedMutex()

  async function receive(origin: Origin, body: ConsultaCreate): Promise<Received> {
    const about = readAbout(body)
    const errors: Errors = { ...('errors' in about && about.errors), ...personFaults(body.Interesado) }
    if ('errors' in about || Object.keys(errors).length > 0) throw invalid(errors)

    const interesado = interesadoFrom(body.Interesado)
    const { email, telefono } = keysOf(interesado)
    // Whoever taps twice is first once: the second finds the first.
    return withLock(`${email ?? telefono} ${JSON.stringify(about)}`, () =>
      understand(origin, body, { about, interesado }),
    )
  }

  async function understand(
    origin: Origin,
    body: ConsultaCreate,
    { about, interesado }: Pick<Question, 'about' | 'interesado'>,
  ): Promise<Received> {
    const { used, candidates } = await ask({ origin, about, interesado })
    const before = await receivedBefore(store, origin.once, used)
    if (before) return before

    const meant = chooseMeant(about, candidates)
    const auto = autoFrom(matcher, about, meant)
    const operador = operadorOf(meant, body)
    if (used) throw usedForAnother()
    const consulta = await keep({ origin, origenLead: body.OrigenLead, interesado, meant, auto, operador })
    if (consulta) return { consulta, adminMail: meant.adminMail }
    return understand(origin, body, { about, interesado }) // under the same key one came a moment before: now it is found
  }

  return { receive }
}

/** What the same request has led to already. */
async function receivedBefore(db: Db, once: Once | undefined, used: Used | undefined): Promise<Received | undefined> {
  if (!once || !used || !sameBody(once, used)) return undefined
  const kept = await findBySid(db, used.sid)
  return kept && { consulta: kept.consulta, adminMail: kept.agencia.adminMail }
}

/** Who is responsible: as asked, or whoever answers for the listing and still works there, or the administrator. */
function operadorOf({ operadores, operador, adminMail }: Candidate, { OperadorResponsable }: ConsultaCreate): string {
  const asked = OperadorResponsable?.toLowerCase()
  if (asked && !operadores.includes(asked))
    throw invalid({ OperadorResponsable: ['No trabaja en esa agencia con esa dirección.'] })
  return asked ?? operadores.find((email) => email === operador) ?? adminMail
}
