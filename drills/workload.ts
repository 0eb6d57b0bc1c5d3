import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, callerFor, send } from '../tests/support/caller.ts'
import { createTally, isAnnounced, registerWebhooks, type Tally } from './load.ts'

/** What `rodado demo` says of the market that it made. */
export interface Market {
  AppKey: string
  AppSecret: string
  SitioKey: string
  Agencias: string[]
  Cuenta: { email: string; password: string }
}

/** An inquiry as it was sent, and the sid under which it was taken. */
interface Told {
  key: string
  body: string
  sid: string
}

/** Everyone of a market at work at one node: people who ask, the site, the partner. */
export interface Workload {
  tally: Tally
  /** Inquiries about listings, of each of which the app must hear. */
  inquiries: Told[]
  /** How often each act was done, and answered as it must be. */
  done: Map<string, number>
  /** Sends an inquiry with its key once more, which must be the same one; whether it was. */
  isKnown(told: Told): Promise<boolean>
  stop(): Promise<void>
}

const CALLERS = 4 // prime to the acts, so that each caller does them all
const PACE_MS = 120
const json = { 'content-type': 'application/json' }
const CAR = { Marca: 'Fiat', Modelo: 'Cronos', VersionYear: 2022, Kilometraje: 38_000, Exposicion: 'Baja' }
const price = (Importe: number) => ({ Precio: { Moneda: 'ARS', Importe } })
const sidOf = (answer: Answer) => answer.headers.location?.split('/').at(-1) || undefined

/** `name` stands in all that it makes, so that two nodes never make the same. */
export async function startWorkload(url: string, market: Market, callback: string, name: string): Promise<Workload> {
  const caller = callerFor(url, market.AppKey, market.AppSecret)
  await registerWebhooks(caller, callback)
  const tally = createTally()
  const inquiries: Told[] = []
  const published: string[] = []
  let isStopped = false
  const agencyOf = (next: number) => market.Agencias[next % market.Agencias.length] ?? ''
  const [home = ''] = market.Agencias
  const call = (method: string, path: string, body?: object) =>
    caller.call(method, path, body ? { body: JSON.stringify(body) } : {})
  const inquire = (key: string, body: string) => {
    const headers = { ...json, authorization: `Bearer ${market.SitioKey}`, 'idempotency-key': key }
    return send(url, '/interno/v1/consultas', { method: 'POST', headers, body })
  }
  const listing = (await call('GET', `/v3/publicaciones/${home}`)).json._entries[0].ExternalId as string

  /** One act of the trade; what it says must be, and what is remembered of it. */
  const acts: ((next: number) => Promise<Answer | undefined>)[] = [
    async function askAboutListing(next) {
      const key = `${name}-${next}`
      const Interesado = { Interes: 'compra', Nombre: 'Ana', Email: `${name}${next}@correo.example` }
      const body = JSON.stringify({ AdminMail: home, ExternalId: listing, OrigenLead: 'form', Interesado })
      const answer = await expecting(201, inquire(key, body))
      const sid = answer && sidOf(answer)
      if (sid) inquiries.push({ key, body, sid })
      else if (answer) tally.others.push('201 without the inquiry that it took')
      return sid ? answer : undefined
    },
    async function askAboutCatalogue(next) {
      const Interesado = { Nombre: 'Luz', Telefono: `+54 9 341 ${5_550_000 + next}` }
      const Catalogo = { Marca: 'Fiat', Modelo: 'Cronos', Version: null }
      const body = JSON.stringify({ AdminMail: agencyOf(next), Catalogo, OrigenLead: 'telefono', Interesado })
      return expecting(201, inquire(`${name}-${next}`, body))
    },
    async function publish(next) {
      const ExternalId = `${name}-${next}`
      const answer = await expecting(
        201,
        call('POST', `/v3/publicaciones/${home}`, { ...CAR, ...price(next), ExternalId }),
      )
      if (answer) published.push(ExternalId)
      return answer
    },
    async function reprice(next) {
      const id = published.at(-1)
      const { Marca, Modelo, ...rest } = CAR
      return id
        ? expecting(200, call('PUT', `/v3/publicaciones/${home}/${id}`, { ...rest, ...price(next) }))
        : undefined
    },
    async function answerInquiry() {
      const sid = inquiries.at(-1)?.sid
      return sid ? expecting(200, call('PUT', `/v3/consultas/${home}/${sid}/estado`, { Estado: 'leida' })) : undefined
    },
    async function readInquiries(next) {
      return expecting(200, call('GET', `/v3/consultas/${agencyOf(next)}`))
    },
    async function readListings(next) {
      return expecting(200, call('GET', `/v3/publicaciones/${agencyOf(next)}`))
    },
    async function invite(next) {
      const mail = `${name}${next}@agencia.example`
      const answer = await expecting(202, call('POST', '/v3/agencias', { AdminMail: mail }))
      if (answer) tally.invited.add(mail)
      return answer
    },
    async function tryWebhook() {
      const answer = await expecting(202, call('POST', '/v3/appnotificaciones/agencia.registrada/prueba'))
      if (answer) tally.acknowledged.add(answer.json.Id)
      return answer
    },
  ]

  const done = new Map(acts.map(({ name: act }) => [act, 0]))

  /** The answer, where it is what was expected; any other is counted by what it is. */
  async function expecting(status: number, calling: Promise<Answer>): Promise<Answer | undefined> {
    const began = performance.now()
    tally.requests++
    const answer = await calling.catch(() => undefined)
    const at = performance.now()
    tally.answers.push({ at, ms: at - began, status: answer?.status ?? 0 })
    if (answer?.status === status) return answer
    if (!answer) tally.broken++
    else if (isAnnounced(answer)) tally.announced++
    else
      (answer.status >= 500 ? tally.serverErrors : tally.others).push(`${answer.status} ${answer.text.slice(0, 300)}`)
    return undefined
  }

  /** One after the other, however slow a machine is: this is no flood. */
  async function work(turn: number): Promise<void> {
    for (let next = turn; !isStopped; next += CALLERS) {
      const soonest = performance.now() + PACE_MS
      const act = acts[next % acts.length]
      if (act && (await act(next))) done.set(act.name, (done.get(act.name) ?? 0) + 1)
      await pause(Math.max(0, soonest - performance.now()))
    }
  }
  const working = Promise.all(Array.from({ length: CALLERS }, (_, turn) => work(turn)))
  return {
    tally,
    inquiries,
    done,
    isKnown: async ({ key, body, sid }) => sidOf(await inquire(key, body)) === sid,
    async stop() {
      isStopped = true
      await working
    },
  }
}

/** Several as one. */
export function mergeTallies(workloads: Pick<Workload, 'tally'>[]): Tally {
  const tallies = workloads.map(({ tally }) => tally)
  const sum = (of: (tally: Tally) => number) => tallies.reduce((total, tally) => total + of(tally), 0)
  return {
    requests: sum(({ requests }) => requests),
    acknowledged: new Set(tallies.flatMap(({ acknowledged }) => [...acknowledged])),
    announced: sum(({ announced }) => announced),
    broken: sum(({ broken }) => broken),
    serverErrors: tallies.flatMap(({ serverErrors }) => serverErrors),
    others: tallies.flatMap(({ others }) => others),
    invited: new Set(tallies.flatMap(({ invited }) => [...invited])),
    waiting: 0,
    mostWaiting: Math.max(...tallies.map(({ mostWaiting }) => mostWaiting)),
    answers: tallies.flatMap(({ answers }) => answers),
  }
}
