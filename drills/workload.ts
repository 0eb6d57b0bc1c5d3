import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, callerFor, send } from '../tests/support/caller.ts'
import { createTally, isAnnounced, registerWebhooks, type Tally } from './load.ts'

/** The output of `rodado demo --json`. */
export interface Market {
  AppKey: string
  AppSecret: string
  SitioKey: string
  Agencias: string[]
  Cuenta: { email: string; password: string }
}

/** An inquiry as sent, and its sid. */
interface SentConsulta {
  key: string
  body: string
  sid: string
}

/** Buyers, a site and a partner using one node. */
interface Workload {
  tally: Tally
  /** Inquiries about listings. The app must receive an event for each. */
  consultas: SentConsulta[]
  /** How often each action succeeded. */
  done: Map<string, number>
  /** Sends an inquiry again with its idempotency key. True if the node returns the same sid. */
  isKnown(consulta: SentConsulta): Promise<boolean>
  stop(): Promise<void>
}

const CALLERS = 4 // coprime with the number of actions, so that every caller performs each of them
const PACE_MS = 120
const json = { 'content-type': 'application/json' }
const CAR = { Marca: 'Fiat', Modelo: 'Cronos', VersionYear: 2022, Kilometraje: 38_000, Exposicion: 'Baja' }
const price = (Importe: number) => ({ Precio: { Moneda: 'ARS', Importe } })
const sidOf = (answer: Answer) => answer.headers.location?.split('/').at(-1) || undefined

/** `name` is part of everything it creates, so that two nodes never create the same records. */
export async function startWorkload(url: string, market: Market, callback: string, name: string): Promise<Workload> {
  const caller = callerFor(url, market.AppKey, market.AppSecret)
  await registerWebhooks(caller, callback)
  const tally = createTally()
  const consultas: SentConsulta[] = []
  const published: string[] = []
  let isStopped = false
  const agencyOf = (next: number) => market.Agencias[next % market.Agencias.length] ?? ''
  const [home = ''] = market.Agencias
  const call = (method: string, path: string, body?: object) =>
    caller.call(method, path, body ? { body: JSON.stringify(body) } : {})
  const sendConsulta = (key: string, body: string) => {
    const headers = { ...json, authorization: `Bearer ${market.SitioKey}`, 'idempotency-key': key }
    return send(url, '/interno/v1/consultas', { method: 'POST', headers, body })
  }
  const publicacion = (await call('GET', `/v3/publicaciones/${home}`)).json._entries[0].ExternalId as string

  /** Each action returns the response if it succeeded. */
  const actions: ((next: number) => Promise<Answer | undefined>)[] = [
    async function askAboutPublicacion(next) {
      const key = `${name}-${next}`
      const Interesado = { Interes: 'compra', Nombre: 'Ana', Email: `${name}${next}@correo.example` }
      const body = JSON.stringify({ AdminMail: home, ExternalId: publicacion, OrigenLead: 'form', Interesado })
      const answer = await expecting(201, sendConsulta(key, body))
      const sid = answer && sidOf(answer)
      if (sid) consultas.push({ key, body, sid })
      else if (answer) tally.others.push('201 without a location')
      return sid ? answer : undefined
    },
    async function askAboutCatalogue(next) {
      const Interesado = { Nombre: 'Luz', Telefono: `+54 9 341 ${5_550_000 + next}` }
      const Catalogo = { Marca: 'Fiat', Modelo: 'Cronos', Version: null }
      const body = JSON.stringify({ AdminMail: agencyOf(next), Catalogo, OrigenLead: 'telefono', Interesado })
      return expecting(201, sendConsulta(`${name}-${next}`, body))
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
    async function answerConsulta() {
      const sid = consultas.at(-1)?.sid
      return sid ? expecting(200, call('PUT', `/v3/consultas/${home}/${sid}/estado`, { Estado: 'leida' })) : undefined
    },
    async function readConsultas(next) {
      return expecting(200, call('GET', `/v3/consultas/${agencyOf(next)}`))
    },
    async function readPublicaciones(next) {
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

  const done = new Map(actions.map(({ name: action }) => [action, 0]))

  /** Returns the response if it has that status; counts it otherwise. */
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

  /** Sends one request after another at a steady pace: this is no flood. */
  async function work(first: number): Promise<void> {
    for (let next = first; !isStopped; next += CALLERS) {
      const soonest = performance.now() + PACE_MS
      const action = actions[next % actions.length]
      if (action && (await action(next))) done.set(action.name, (done.get(action.name) ?? 0) + 1)
      await pause(Math.max(0, soonest - performance.now()))
    }
  }
  const working = Promise.all(Array.from({ length: CALLERS }, (_, first) => work(first)))
  return {
    tally,
    consultas,
    done,
    isKnown: async ({ key, body, sid }) => sidOf(await sendConsulta(key, body)) === sid,
    async stop() {
      isStopped = true
      await working
    },
  }
}

/** Adds up the tallies of several workloads. */
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
