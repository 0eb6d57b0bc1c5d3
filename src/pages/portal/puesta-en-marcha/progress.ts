import type { Tokens } from 'marked'
import type { ComponentChildren } from 'preact'
import type { App } from '../../../apps/app.ts'
import { firstsOf, type Milestone } from '../../../apps/usage-store.ts'
import { currentLocale, LOCALES, type Locale } from '../../../i18n/locale.ts'
import { t } from '../../../i18n/messages.tsx'
import { type AgencyProgress, agencyProgress } from '../../../resources/agencias/figures.ts'
import { lastCheck, type ReceiverCheck } from '../../../resources/appnotificaciones/test-events.ts'
import { sandboxMails } from '../../../sandbox/agency.ts'
import { firstOfTopics, isAvailable, isEnabled, listWebhooks, type Webhook } from '../../../webhooks/store.ts'
import { paragraphsOf, readMarkdown, renderInline, sectionsOf } from '../../markdown.tsx'
import type { PageDeps } from '../../signed-in.ts'

/** What an app has done so far. */
export interface Progress {
  firsts: ReadonlyMap<Milestone, Date>
  reach: AgencyProgress
  /** All of them, also further ones of a topic. */
  webhooks: readonly Webhook[]
  check: ReceiverCheck | undefined
  /** The page on which an agency connects the app. */
  connectUrl: string
}

export async function progressOf(
  { store, seal, config }: Pick<PageDeps, 'store' | 'seal' | 'config'>,
  app: App,
): Promise<Progress> {
  const [firsts, reach, webhooks, check] = await Promise.all([
    firstsOf(store, app.id),
    agencyProgress(store, app, sandboxMails(app)),
    listWebhooks(store, seal, app),
    lastCheck(store, app),
  ])
  return { firsts, reach, webhooks, check, connectUrl: `${config.publicUrl}/conectar/${app.appKey}` }
}

const FIRST_TOPIC = 'consulta.recibida'

const topicOf = (app: App): string => (isAvailable(app, FIRST_TOPIC) ? FIRST_TOPIC : (app.topics?.[0] ?? FIRST_TOPIC))

/** An active webhook with a secret, the first of its topic, for the test with a forged signature. Prefers the main topic. */
export function signedWebhook(app: App, webhooks: readonly Webhook[]): Webhook | undefined {
  const signed = firstOfTopics(webhooks).filter(
    (webhook) => isEnabled(webhook) && webhook.secretHint !== null && isAvailable(app, webhook.topic),
  )
  return signed.find(({ topic }) => topic === topicOf(app)) ?? signed[0]
}

export interface Step {
  id: string
  title: string
  /** When it was first done, or null. */
  at: Date | null
  how: ComponentChildren
  link: { href: string; label: string }
  /** The link leads to the page of steps itself. */
  isHere: boolean
}

export interface Chapter {
  title: string
  steps: Step[]
}

const TEXTS = Object.fromEntries(
  LOCALES.map((locale) => [locale, readMarkdown(new URL(`./${locale}/pasos.md`, import.meta.url))]),
) as Record<Locale, ReturnType<typeof readMarkdown>>

/** The steps to production, how many are done, and the next one. */
export function stepsOf(app: App, progress: Progress) {
  const chapters = chaptersOf(app, progress)
  const steps = chapters.flatMap((chapter) => chapter.steps)
  return {
    chapters,
    count: steps.length,
    done: steps.filter(({ at }) => at !== null).length,
    next: steps.find(({ at }) => at === null),
  }
}

/** Each step is done when the app has really done it. */
function chaptersOf(app: App, { firsts, reach, webhooks, check, connectUrl }: Progress): Chapter[] {
  const topic = topicOf(app)
  const signed = signedWebhook(app, webhooks)
  const first = (...milestones: Milestone[]) =>
    milestones.flatMap((each) => firsts.get(each) ?? []).sort((a, b) => a.getTime() - b.getTime())[0] ?? null
  const done: Record<string, Date | null> = {
    firma: first('firma', 'token'),
    condicional: first('condicional'),
    invitacion: reach.invitedAt ?? reach.associatedAt,
    asociada: reach.associatedAt,
    webhook: signed ? (first('entrega') ?? signed.lastDeliveryAt ?? UNKNOWN_DATE) : null,
    entrega: first('entrega'),
    reintento: first('reintento'),
    'firma-falsa': check?.refused ? check.at : null,
    eventos: first('eventos'),
  }
  const scope = { values: { connectUrl, topic, espera: t('portal.steps.retryAfter', { modo: app.modo }) } }
  const hrefOf = (href: string) => href.replace(/^\/portal\//, `/portal/${app.appKey}/`).replace('{{topic}}', topic)
  return TEXTS[currentLocale()].sections.map(({ title, tokens }) => ({
    title,
    steps: sectionsOf(tokens, 3).map(({ id, title, tokens }) => {
      const [instructions, link] = paragraphsOf(tokens)
      const { href = '', text = '' } = (link?.tokens[0] ?? {}) as Partial<Tokens.Link>
      const isHere = id === 'firma-falsa'
      return {
        id,
        title,
        at: done[id] ?? null,
        how: renderInline(instructions?.tokens, scope),
        link: { href: hrefOf(href), label: text },
        isHere,
      }
    }),
  }))
}

/** For steps that are done at an unknown time: a configuration has no date. */
export const UNKNOWN_DATE = new Date(0)
