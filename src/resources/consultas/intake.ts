import type { Matcher } from '../../catalogue/match/matcher.ts'
import type { Clock } from '../../clock.ts'
import { matched } from '../../http/catalogue-routes.ts'
import { dayOf } from '../../http/dates.ts'
import { keyReused, sameBody, type UsedKey } from '../../http/idempotency.ts'
import { type FaultMap, fault, invalid, Problem } from '../../http/problems.ts'
import { batch, createKeyedMutex } from '../../store/concurrency.ts'
import type { Db } from '../../store/db.ts'
import type { DirectDelivery } from '../../webhooks/direct.ts'
import { marcaRef } from '../marcas/marcas.ts'
import { type Auto, catalogueAuto, listedAuto } from './auto.ts'
import type { Consulta, ConsultaCreate } from './consulta.ts'
import { type Draft, type InsertOptions, insertConsultas } from './insert.ts'
import { type AgenciaCandidate, type Lookup, lookUp, type Origin, type Subject } from './lookup.ts'
import { interesadoFrom, personFaults, personKeys } from './person.ts'
import { findBySid } from './read.ts'
import { createRotation } from './rotation.ts'

interface IntakeDeps {
  store: Db
  matcher: Matcher
  clock: Clock
  config: InsertOptions
  /** Of the worker in this process, if there is one. */
  direct?: DirectDelivery | undefined
}

/** A stored inquiry, and the mail of its agency, under which it is found. */
export interface Received {
  consulta: Consulta
  adminMail: string
}

/** Receives inquiries. The state of a listing is no reason to refuse a lead. */
export interface ConsultaIntake {
  receive(origin: Origin, body: ConsultaCreate): Promise<Received>
}

/**
 * One batch at a time: two at once are half as large and cost more per inquiry. Large ones, because the event loop of a
 * flooded process takes long until it starts the next.
 */
const BATCHES = { maxItems: 200, maxWaitMs: 100 }

/** One statement looks an inquiry up, another inserts it; concurrent inquiries share both. */
export function createConsultaIntake({ store, matcher, clock, config, direct }: IntakeDeps): ConsultaIntake {
  const today = () => dayOf(clock(), config.timeZone)
  const find = batch(
    (lookups: Lookup[]) => lookUp(store, lookups, { now: clock(), day: today(), country: config.country }),
    BATCHES,
  )
  const nextOperador = createRotation()
  const insert = batch((drafts: Draft[]) => insertConsultas(store, drafts, clock(), config, direct), BATCHES)
  const oneAtATime = createKeyedMutex()

  async function receive(origin: Origin, body: ConsultaCreate): Promise<Received> {
    const subject = readSubject(body)
    const errors: FaultMap = { ...('errors' in subject && subject.errors), ...personFaults(body.Interesado) }
    if ('errors' in subject || Object.keys(errors).length > 0) throw invalid(errors)

    const interesado = interesadoFrom(body.Interesado)
    const { email, telefono } = personKeys(interesado, config.country)
    // After a double tap the second inquiry waits on this node, so that it finds the first and is marked as its repeat.
    return oneAtATime(`${email ?? telefono} ${JSON.stringify(subject)}`, () =>
      resolve(body, { origin, subject, interesado }),
    )
  }

  async function resolve(body: ConsultaCreate, lookup: Lookup): Promise<Received> {
    const { origin, subject, interesado } = lookup
    const { used, candidates } = await find(lookup)
    const before = await receivedBefore(store, origin.idempotencyKey, used)
    if (before) return before

    const recipient = chooseRecipient(subject, candidates)
    const auto = autoFrom(matcher, subject, recipient)
    const operador =
      operadorOf(recipient, body) ??
      (await operadorOfFirst(store, recipient)) ??
      nextOperador(recipient.agenciaId, today(), recipient.sharers ?? []) ??
      recipient.adminMail
    if (used) throw keyReused() // after the 400s: a wrong body is refused as such
    const consulta = await insert({ origin, body, interesado, recipient, auto, operador })
    if (consulta) return { consulta, adminMail: recipient.adminMail }
    return resolve(body, lookup) // another request took the key a moment ago: now it is found
  }

  return { receive }
}

/** The result of an earlier request with the same key and body. */
async function receivedBefore(db: Db, key: Origin['idempotencyKey'], used?: UsedKey): Promise<Received | undefined> {
  if (!key || !used || !sameBody(key, used)) return undefined
  const stored = await findBySid(db, used.sid)
  return stored && { consulta: stored.consulta, adminMail: stored.agencia.adminMail }
}

const FORMS = 'Indique Aviso, o AdminMail con ExternalId, o AdminMail con Catalogo.'
const ONE_FORM = fault('requerido', FORMS)
const ONLY_ONE_FORM = fault('incompatible', `${FORMS} Solo una de las tres.`)

/** Which of the three forms a body has, or its faults. */
function readSubject({ Aviso, AdminMail, ExternalId, Catalogo }: ConsultaCreate): Subject | { errors: FaultMap } {
  const forms = [Aviso, ExternalId, Catalogo].filter((form) => form != null)
  if (forms.length !== 1) return { errors: { _: [forms.length === 0 ? ONE_FORM : ONLY_ONE_FORM] } }
  if (Aviso != null)
    return AdminMail == null ? { aviso: Aviso } : { errors: { AdminMail: [fault('incompatible', 'No va con Aviso.')] } }
  if (AdminMail == null) return { errors: { AdminMail: [fault('requerido', 'Falta este dato.')] } }
  return Catalogo
    ? { adminMail: AdminMail, catalogo: Catalogo }
    : { adminMail: AdminMail, externalId: ExternalId as string }
}

/** The candidate that is meant; 400 if there is none, or several. Archived listings only count if no other exists. */
function chooseRecipient(subject: Subject, candidates: AgenciaCandidate[]): AgenciaCandidate {
  const [first] = candidates
  if (!first && 'aviso' in subject) throw invalid({ Aviso: [fault('inexistente', 'No existe ese aviso.')] })
  if (!first) throw invalid({ AdminMail: [fault('inexistente', 'No existe esa agencia.')] })
  if (!('externalId' in subject)) return first
  const listed = candidates.filter(({ publicacionId }) => publicacionId !== null)
  const current = listed.filter(({ estado }) => estado !== 'Archivada')
  const [chosen, ...others] = current.length > 0 ? current : listed
  if (!chosen) throw invalid({ ExternalId: [fault('inexistente', 'La agencia no tiene un aviso con ese ExternalId.')] })
  if (others.length === 0) return chosen
  const avisos = [chosen, ...others].map(({ publicacionId }) => publicacionId)
  const text = `Hay varios avisos con ese ExternalId: indique Aviso (${avisos.join(' o ')}).`
  throw invalid({ ExternalId: [fault('ambiguo', text)] })
}

/** The car as it is now. A make of the catalogue must be known; an unknown model stays as written. */
function autoFrom(matcher: Matcher, subject: Subject, recipient: AgenciaCandidate): Auto {
  if (!('catalogo' in subject)) return listedAuto(recipient)
  const { Marca, Modelo, Version } = subject.catalogo
  const found = matched(matcher.make(Marca), marcaRef)
  if (found instanceof Problem) throw invalid({ 'Catalogo.Marca': found.faults?.make ?? [] }, found.extensions)
  const model = matcher.modelOf(found.entry, Modelo)
  const modelo = model.kind === 'match' && model.score === 1 ? model.entry.nombre : Modelo
  return catalogueAuto({ marca: found.entry.nombre, modelo, version: Version ?? null })
}

/** The operador in the body, or the salesperson who has the listing and works there. */
function operadorOf(
  { operadores, operador, adminMail }: AgenciaCandidate,
  { OperadorResponsable }: ConsultaCreate,
): string | undefined {
  const requested = OperadorResponsable?.toLowerCase()
  if (requested && !operadores.includes(requested))
    throw invalid({ OperadorResponsable: [fault('no-colabora', 'Nadie trabaja en esa agencia con ese correo.')] })
  return requested ?? operadores.find((email) => email === operador && email !== adminMail)
}

/** Who has the inquiry that this one repeats, where inquiries are shared: two salespeople would call the same person. */
async function operadorOfFirst(
  db: Db,
  { sharers, repite, operadores, adminMail }: AgenciaCandidate,
): Promise<string | undefined> {
  if (!sharers || repite === null) return undefined
  const first = (await findBySid(db, repite))?.consulta.operador
  return operadores.find((email) => email === first && email !== adminMail)
}
