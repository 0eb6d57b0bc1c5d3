import type { Errors } from '../../../http/problems.ts'
import type { Check } from '../../../resources/appnotificaciones/checks.ts'
import { FaultList } from '../../fields.tsx'
import { Moment, type When } from '../../format.tsx'
import { Help } from '../../parts.tsx'
import { type PortalContext, PortalPage } from '../context.tsx'
import {
  type Chapter,
  chaptersOf,
  doneCount,
  nextStep,
  type Progress,
  type Step,
  signedWebhook,
  stepsOf,
  UNKNOWN_DATE,
} from './progress.tsx'

interface Props {
  ctx: PortalContext
  progress: Progress
  errors?: Errors | undefined
}

/** The steps to production; the page refreshes itself. */
export const goLivePage = ({ ctx, progress, errors }: Props) => (
  <PortalPage
    ctx={ctx}
    section="/puesta-en-marcha"
    title="Puesta en marcha"
    lead={<p>Lo que su app ya hizo, visto desde aquí. Nada se marca a mano: hágalo y aparece solo.</p>}
    script
  >
    <FaultList errors={errors} />
    <div hx-get={`${ctx.basePath}/puesta-en-marcha`} hx-trigger="every 4s" hx-swap="innerMorph">
      <GoLive ctx={ctx} progress={progress} />
    </div>
  </PortalPage>
)

/** The part that refreshes itself. */
export function GoLive({ ctx, progress }: Omit<Props, 'errors'>) {
  const chapters = chaptersOf(ctx.app, progress)
  const steps = stepsOf(chapters)
  const [done, next] = [doneCount(steps), nextStep(steps)]
  return (
    <>
      <ProgressBar done={done} of={steps.length} />
      {!next && <Ready ctx={ctx} />}
      {chapters.map((chapter) => (
        <ChapterSection key={chapter.title} chapter={chapter} next={next} ctx={ctx} progress={progress} />
      ))}
    </>
  )
}

export const ProgressBar = ({ done, of }: { done: number; of: number }) => (
  <p class="progress">
    <progress value={done} max={of} aria-label="Pasos hechos" />
    <span>
      <strong>{done}</strong> de {of} pasos
    </span>
  </p>
)

const Ready = ({ ctx: { app, support } }: { ctx: PortalContext }) => (
  <div class="notice" role="status">
    <p>
      <strong>Su app está lista.</strong>{' '}
      {app.modo === 'prueba'
        ? 'Pida al mercado el pase a producción: recibirá otra AppKey, y todo lo demás es igual.'
        : 'Hizo todo lo que una app necesita para trabajar con personas de verdad.'}
    </p>
    {app.modo === 'prueba' && <Help support={support} />}
  </div>
)

type ChapterProps = Omit<Props, 'errors'> & { chapter: Chapter; next: Step | undefined }

const ChapterSection = ({ chapter, next, ctx, progress }: ChapterProps) => (
  <section>
    <h2>{chapter.title}</h2>
    <ol class="steps">
      {chapter.steps.map((step) => (
        <li key={step.id} id={step.id} class={step.at ? 'done' : step === next ? 'next' : undefined}>
          <h3>
            <span class="visually-hidden">{step.at ? 'Hecho: ' : 'Falta: '}</span>
            {step.title}
            {step === next && <span class="badge">siguiente</span>}
          </h3>
          {step.at ? <DoneWhen at={step.at} when={ctx} /> : <Todo step={step} />}
          {step.id === 'firma-falsa' && <Forgery ctx={ctx} progress={progress} />}
        </li>
      ))}
    </ol>
  </section>
)

const DoneWhen = ({ at, when }: { at: Date; when: When }) => (
  <p class="hint">{at === UNKNOWN_DATE ? 'Listo.' : <Moment at={at} when={when} />}</p>
)

const Todo = ({ step: { how, link, here } }: { step: Step }) => (
  <>
    <p>{how}</p>
    {!here && (
      <p>
        <a href={link.href}>{link.label}</a>
      </p>
    )}
  </>
)

/** The result of the last forged notification, and the button that sends one. */
function Forgery({ ctx: { app, basePath }, progress: { webhooks, check } }: Omit<Props, 'errors'>) {
  const webhook = signedWebhook(app, webhooks)
  if (app.disabled) return null
  if (!webhook) return check?.refused ? null : <p class="hint">Primero configure un webhook con Secret.</p>
  return (
    <>
      {check && <Outcome check={check} />}
      <form method="post" action={`${basePath}/puesta-en-marcha/firma-falsa`}>
        <input type="hidden" name="Topic" value={webhook.topic} />
        <button type="submit" class="secondary">
          {check ? 'Enviar otra con firma falsa' : 'Enviar una notificación con firma falsa'}
        </button>
      </form>
    </>
  )
}

const Outcome = ({ check: { refused, status, detail } }: { check: Check }) => (
  <p class={refused ? 'hint' : 'fault'}>
    {refused
      ? `Su receptor respondió ${status}: rechazó la firma falsa.`
      : status === null
        ? `Su receptor no respondió: ${detail ?? 'no se pudo conectar'}`
        : status < 300
          ? `Su receptor respondió ${status}: aceptó una notificación que no enviamos nosotros. Compruebe la firma antes de leer el cuerpo.`
          : `Su receptor respondió ${status}, que no dice que la firma sea falsa. Responda 401.`}
  </p>
)
