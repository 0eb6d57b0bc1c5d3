import type { FastifyReply } from 'fastify'
import { Limiter } from '../../../http/limits.ts'
import { type Errors, Problem } from '../../../http/problems.ts'
import { rich, t } from '../../../i18n/messages.tsx'
import { type ReceiverCheck, sendForged } from '../../../resources/appnotificaciones/test-events.ts'
import { translateError } from '../../../webhooks/send/explain.ts'
import { FaultList } from '../../fields.tsx'
import { formRoute, textField } from '../../form.ts'
import { Moment, type TimeContext } from '../../format.tsx'
import { isPartial, livePart, page, sendPart } from '../../page.ts'
import { Help, PostButton, Section } from '../../parts.tsx'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { type PortalContext, PortalPage, type PortalPages } from '../context.tsx'
import { type Chapter, type Progress, progressOf, type Step, signedWebhook, stepsOf, UNKNOWN_DATE } from './progress.ts'

/** Each one sends a request to the receiver while the person waits. */
const FORGED = { perSecond: 0.2, burst: 5 }
const EVERY_SECONDS = 4

/** /portal/{AppKey}/puesta-en-marcha: the steps to production, and the test with a forged signature. */
export function goLiveRoutes(app: PortalPages, deps: PageDeps): void {
  const forged = new Limiter(FORGED, deps.nowMs)

  async function show(reply: FastifyReply, ctx: PortalContext, errors?: Errors): Promise<FastifyReply> {
    const progress = await progressOf(deps, ctx.app)
    return page(reply, goLivePage({ ctx, progress, errors }), errors ? 400 : 200)
  }

  app.get('/puesta-en-marcha', async (request, reply) => {
    const { ctx } = request
    if (!isPartial(request)) return show(reply, ctx)
    const progress = await progressOf(deps, ctx.app)
    return sendPart(reply, <GoLive ctx={ctx} progress={progress} />)
  })

  app.post('/puesta-en-marcha/firma-falsa', formRoute(100), async ({ ctx, form }, reply) => {
    const topic = textField(form, 'Topic')
    if (!forged.take(ctx.app.id).allowed) return show(reply, ctx, { _: [t('portal.steps.tooMany')] })
    await ctx.audit('webhook.firma-falsa', ctx.app.appKey, { topic })
    try {
      const { refused } = await sendForged(deps, ctx.app, topic)
      return redirectWithNotice(
        reply,
        refused ? 'firma-falsa-rechazada' : 'firma-falsa-enviada',
        `${ctx.basePath}/puesta-en-marcha`,
      )
    } catch (error) {
      if (error instanceof Problem && error.errors) return show(reply, ctx, error.errors)
      throw error
    }
  })
}

interface Props {
  ctx: PortalContext
  progress: Progress
  errors?: Errors | undefined
}

/** The steps to production; the page refreshes itself. */
const goLivePage = ({ ctx, progress, errors }: Props) => (
  <PortalPage ctx={ctx} title={t('portal.nav.start')} intro={t('portal.steps.intro')} script>
    <FaultList errors={errors} />
    <GoLive ctx={ctx} progress={progress} />
  </PortalPage>
)

/** The part that refreshes itself. */
function GoLive({ ctx, progress }: Omit<Props, 'errors'>) {
  const { chapters, count, done, next } = stepsOf(ctx.app, progress)
  return (
    <div id="pasos" {...livePart(`${ctx.basePath}/puesta-en-marcha`, EVERY_SECONDS)}>
      <ProgressBar done={done} of={count} />
      {!next && <Ready ctx={ctx} />}
      {chapters.map((chapter) => (
        <ChapterSection key={chapter.title} chapter={chapter} next={next} ctx={ctx} progress={progress} />
      ))}
    </div>
  )
}

export const ProgressBar = ({ done, of }: { done: number; of: number }) => (
  <p class="progress">
    <progress value={done} max={of} aria-label={t('portal.steps.done')} />
    <span>{rich('portal.steps.progress', { done, count: of })}</span>
  </p>
)

const Ready = ({ ctx: { app } }: { ctx: PortalContext }) => (
  <div class="notice" role="status">
    <p>
      <strong>{t('portal.steps.ready')}</strong>{' '}
      {app.modo === 'prueba' ? t('portal.steps.readyTest') : t('portal.steps.readyLive')}
    </p>
    {app.modo === 'prueba' && <Help />}
  </div>
)

type ChapterProps = Omit<Props, 'errors'> & { chapter: Chapter; next: Step | undefined }

const ChapterSection = ({ chapter, next, ctx, progress }: ChapterProps) => (
  <Section title={chapter.title}>
    <ol class="steps">
      {chapter.steps.map((step) => (
        <li key={step.id} id={step.id} class={step.at ? 'done' : step === next ? 'next' : undefined}>
          <h3>
            <span class="visually-hidden">{step.at ? t('portal.steps.isDone') : t('portal.steps.isMissing')} </span>
            {step.title}
            {step === next && <span class="badge">{t('portal.steps.next')}</span>}
          </h3>
          {step.at ? <DoneWhen at={step.at} when={ctx} /> : <Todo step={step} />}
          {step.id === 'firma-falsa' && <Forgery ctx={ctx} progress={progress} />}
        </li>
      ))}
    </ol>
  </Section>
)

const DoneWhen = ({ at, when }: { at: Date; when: TimeContext }) => (
  <p class="hint">{at === UNKNOWN_DATE ? t('portal.steps.doneAt') : <Moment at={at} when={when} />}</p>
)

const Todo = ({ step: { how, link, isHere } }: { step: Step }) => (
  <>
    <p>{how}</p>
    {!isHere && (
      <p>
        <a href={link.href}>{link.label}</a>
      </p>
    )}
  </>
)

function Forgery({ ctx: { app, basePath }, progress: { webhooks, check } }: Omit<Props, 'errors'>) {
  const webhook = signedWebhook(app, webhooks)
  if (app.disabled) return null
  if (!webhook) return check?.refused ? null : <p class="hint">{t('portal.steps.webhookFirst')}</p>
  return (
    <>
      {check && <Outcome check={check} />}
      <PostButton
        action={`${basePath}/puesta-en-marcha/firma-falsa`}
        class="secondary"
        hidden={{ Topic: webhook.topic }}
      >
        {check ? t('portal.steps.forgeAgain') : t('portal.steps.forge')}
      </PostButton>
    </>
  )
}

const Outcome = ({ check: { refused, status, detail } }: { check: ReceiverCheck }) => (
  <p class={refused ? 'hint' : 'fault'}>
    {refused
      ? t('portal.steps.outcome.refused', { status })
      : status === null
        ? t('portal.steps.outcome.noAnswer', {
            detail: detail ? translateError(detail) : t('portal.steps.outcome.noConnection'),
          })
        : status < 300
          ? t('portal.steps.outcome.accepted', { status })
          : t('portal.steps.outcome.unclear', { status })}
  </p>
)
