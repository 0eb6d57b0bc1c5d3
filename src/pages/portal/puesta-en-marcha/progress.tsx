import type { ComponentChildren } from 'preact'
import type { App } from '../../../apps/app.ts'
import { firstsOf, type Milestone } from '../../../apps/usage-store.ts'
import { type AgencyProgress, agencyProgress } from '../../../resources/agencias/figures.ts'
import { lastCheck, type ReceiverCheck } from '../../../resources/appnotificaciones/test-events.ts'
import { isAvailable, isOn, listWebhooks, type Webhook } from '../../../webhooks/subscriptions.ts'
import type { PageDeps } from '../../signed-in.ts'

/** What an app has done so far. */
export interface Progress {
  firsts: ReadonlyMap<Milestone, Date>
  reach: AgencyProgress
  webhooks: readonly Webhook[]
  check: ReceiverCheck | undefined
}

export async function progressOf({ store, seal }: Pick<PageDeps, 'store' | 'seal'>, app: App): Promise<Progress> {
  const [firsts, reach, webhooks, check] = await Promise.all([
    firstsOf(store, app.id),
    agencyProgress(store, app),
    listWebhooks(store, seal, app),
    lastCheck(store, app),
  ])
  return { firsts, reach, webhooks, check }
}

const FIRST_TOPIC = 'consulta.recibida'

/** The topic that the steps to production use. */
const topicOf = (app: App): string => (isAvailable(app, FIRST_TOPIC) ? FIRST_TOPIC : (app.topics?.[0] ?? FIRST_TOPIC))

/** An active webhook with a secret, for the test with a forged signature. Prefers the main topic. */
export function signedWebhook(app: App, webhooks: readonly Webhook[]): Webhook | undefined {
  const signed = webhooks.filter(
    (webhook) => isOn(webhook) && webhook.secretHint !== null && isAvailable(app, webhook.topic),
  )
  return signed.find(({ topic }) => topic === topicOf(app)) ?? signed[0]
}

/** One step on the way to production. */
export interface Step {
  id: string
  title: string
  /** When it was first done, or null. */
  at: Date | null
  /** What to do. */
  how: ComponentChildren
  link: { href: string; label: string }
  /** The link leads to the page of steps itself. */
  here?: true
}

export interface Chapter {
  title: string
  steps: Step[]
}

/** The steps to production; each is done when the app has really done it. */
export function chaptersOf(app: App, { firsts, reach, webhooks, check }: Progress): Chapter[] {
  const basePath = `/portal/${app.appKey}`
  const topic = topicOf(app)
  const signed = signedWebhook(app, webhooks)
  const first = (...hechos: Parameters<typeof firsts.get>[0][]) =>
    hechos.flatMap((hecho) => firsts.get(hecho) ?? []).sort((a, b) => a.getTime() - b.getTime())[0] ?? null
  return [
    {
      title: 'Llamar a la API',
      steps: [
        {
          id: 'firma',
          title: 'Hacer una llamada firmada',
          at: first('firma', 'token'),
          how: 'Llame a cualquier dirección bajo /v3 desde su programa, firmada o con un token. Lo que prueba desde este portal no cuenta: lo firma el portal.',
          link: { href: '/docs/guia/firmar', label: 'Cómo se firma' },
        },
        {
          id: 'condicional',
          title: 'Preguntar solo por lo que cambió',
          at: first('condicional'),
          how: (
            <>
              Guarde el <code>ETag</code> de una respuesta y envíelo la próxima vez en <code>If-None-Match</code>. Si
              nada cambió, la respuesta es 304 y no gasta su límite.
            </>
          ),
          link: { href: `${basePath}/uso`, label: 'Uso y límites' },
        },
      ],
    },
    {
      title: 'Trabajar con agencias',
      steps: [
        {
          id: 'invitacion',
          title: 'Invitar a una agencia',
          at: reach.invitedAt ?? reach.associatedAt,
          how: (
            <>
              <code>POST /v3/agencias</code> con el correo de quien la administra. Si ya está registrada, dele su página
              de conexión: <code>/conectar/{app.appKey}</code>.
            </>
          ),
          link: { href: `${basePath}/probar?ejemplo=invitarAgencia`, label: 'Probar una invitación' },
        },
        {
          id: 'asociada',
          title: 'Tener una agencia asociada',
          at: reach.associatedAt,
          how: 'La agencia queda asociada cuando acepta la invitación o se conecta con su página.',
          link: { href: `${basePath}/probar?ruta=/v3/agencias`, label: 'Ver las agencias' },
        },
      ],
    },
    {
      title: 'Recibir notificaciones',
      steps: [
        {
          id: 'webhook',
          title: 'Configurar un webhook firmado',
          at: signed ? (first('entrega') ?? signed.lastDeliveryAt ?? UNKNOWN_DATE) : null,
          how: (
            <>
              Diga adónde enviar <code>{topic}</code>, con un Secret: con él su receptor comprueba que la notificación
              viene de aquí.
            </>
          ),
          link: { href: `${basePath}/webhooks/${topic}`, label: 'Configurar el webhook' },
        },
        {
          id: 'entrega',
          title: 'Recibir una notificación',
          at: first('entrega'),
          how: 'Envíe una notificación de prueba desde la página del webhook. Su receptor responde 2xx en menos de 15 segundos.',
          link: { href: `${basePath}/webhooks/${topic}`, label: 'Enviar una notificación de prueba' },
        },
        {
          id: 'reintento',
          title: 'Recibir un reintento',
          at: first('reintento'),
          how: 'Responda 503 a una notificación de prueba: vuelve a llegar a los 5 segundos con el mismo webhook-id, y esta vez responda 200. Así sabe que una caída no le hace perder nada.',
          link: { href: `${basePath}/entregas`, label: 'Ver las entregas' },
        },
        {
          id: 'firma-falsa',
          title: 'Rechazar una firma falsa',
          at: check?.refused ? check.at : null,
          how: (
            <>
              Enviamos a su receptor una notificación de prueba con una firma que no es nuestra. Debe rechazarla: 401 es
              lo natural. La guía dice <a href="/docs/guia/verificar">cómo se verifica</a>.
            </>
          ),
          link: { href: `${basePath}/puesta-en-marcha#firma-falsa`, label: 'Enviar una notificación con firma falsa' },
          here: true,
        },
        {
          id: 'eventos',
          title: 'Leer los eventos',
          at: first('eventos'),
          how: (
            <>
              <code>GET /v3/eventos</code> da todo lo que se le avisó en 90 días, en orden. Es su red: después de una
              caída, siga desde el último <code>cursor</code>.
            </>
          ),
          link: { href: `${basePath}/eventos`, label: 'Ver los eventos' },
        },
      ],
    },
  ]
}

/** For steps that are done at an unknown time: a configuration has no date. */
export const UNKNOWN_DATE = new Date(0)

export const stepsOf = (chapters: readonly Chapter[]): Step[] => chapters.flatMap(({ steps }) => steps)

export const nextStep = (steps: readonly Step[]): Step | undefined => steps.find(({ at }) => at === null)

export const doneCount = (steps: readonly Step[]): number => steps.filter(({ at }) => at !== null).length
