import sql, { type Sql } from 'sql-template-tag'
import { type Errors, invalid } from '../../http/problems.ts'
import { type About, autoFrom, type Candidate, candidatesSql, chooseMeant, readAbout } from './about.ts'
import { findBySid } from './by-sid.ts'
import type { ConsultaCreate } from './create-schema.ts'
import { sameBody, type Used, usedForAnother, usedSql } from './idempotency.ts'
import { keep, type Origin, type Received, type ReceiveNeeds } from './keep.ts'
import { interesadoFrom, personFaults } from './person.ts'
import { firstByPerson } from './repeats.ts'

/**
 * Receives an inquiry: one question, then one statement that keeps it, counts it, tells the apps that see it, and posts
 * the letters. A lead is not refused for the state of its listing.
 */
export async function receive(needs: ReceiveNeeds, origin: Origin, body: ConsultaCreate): Promise<Received> {
  const about = readAbout(body)
  const errors: Errors = { ...('errors' in about && about.errors), ...personFaults(body.Interesado) }
  if ('errors' in about || Object.keys(errors).length > 0) throw invalid(errors)

  const interesado = interesadoFrom(body.Interesado)
  const moment = needs.clock()
  const { used, candidates } = await ask(needs, origin, about, firstByPerson(interesado, moment))
  const before = await receivedBefore(needs, origin, used)
  if (before) return before

  const meant = chooseMeant(about, candidates)
  const auto = autoFrom(needs.matcher, about, meant)
  const operador = operadorOf(meant, body)
  if (used) throw usedForAnother()
  const kept = await keep(needs, origin, { origenLead: body.OrigenLead, interesado, moment, meant, auto, operador })
  return kept ?? receive(needs, origin, body) // a request under the same key came a moment before: now it is found
}

type Found = Partial<Candidate> & { usedSid: string | null; usedDigest: Buffer }

/** All that is to be known beforehand, in one question. */
async function ask({ store }: ReceiveNeeds, { modo, once }: Origin, about: About, repeats: Sql) {
  const rows = await store.query<Found>(
    sql`
      select used.sid as "usedSid", used.digest as "usedDigest", candidate.*
      from (select) as asked
      left join ${usedSql(once)} as used on true
      left join lateral (${candidatesSql(modo, about, repeats)}) as candidate on true`,
    'keep-plan',
  )
  const [first] = rows
  const used: Used | undefined = first?.usedSid ? { sid: first.usedSid, digest: first.usedDigest } : undefined
  return { used, candidates: rows.filter(({ agenciaId }) => agenciaId != null) as Candidate[] }
}

/** What the same request has led to already. */
async function receivedBefore({ store }: ReceiveNeeds, { once }: Origin, used: Used | undefined) {
  if (!once || !used || !sameBody(once, used)) return undefined
  const kept = await findBySid(store, used.sid)
  return kept && { consulta: kept.consulta, adminMail: kept.agencia.adminMail }
}

/** Who is responsible: as asked, or whoever answers for the listing and still works there, or the administrator. */
function operadorOf({ operadores, operador, adminMail }: Candidate, { OperadorResponsable }: ConsultaCreate): string {
  const asked = OperadorResponsable?.toLowerCase()
  if (asked && !operadores.includes(asked))
    throw invalid({ OperadorResponsable: ['No trabaja en esa agencia con esa dirección.'] })
  return asked ?? operadores.find((email) => email === operador) ?? adminMail
}
