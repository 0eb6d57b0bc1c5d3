import type { Member, PendingMember } from '../../../accounts/members.ts'
import type { ListedSecret } from '../../../apps/secrets.ts'
import type { AppAtWork } from '../../../apps/staff.ts'
import type { Period } from '../../../apps/usage-store.ts'
import { withQuery } from '../../../http/links.ts'
import type { Errors } from '../../../http/problems.ts'
import type { Webhook } from '../../../webhooks/subscriptions.ts'
import { FaultList, Field } from '../../fields.tsx'
import { inFigures, Moment } from '../../format.tsx'
import { Copyable } from '../../parts.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { ModoBadge } from '../modo.tsx'
import { Keys } from './keys.tsx'
import { type Everyone, Limits } from './limits.tsx'
import { APPS, AppEstado, appHref } from './list.tsx'
import { ContactField } from './new-page.tsx'
import { Team } from './team.tsx'
import { Topics } from './topics.tsx'
import { UsagePlots } from './usage.tsx'
import { Webhooks } from './webhooks.tsx'

/** All that staff sees of one app. */
export interface AppView {
  app: AppAtWork
  secrets: ListedSecret[]
  usage: Period[]
  members: Member[]
  pending: PendingMember[]
  webhooks: Webhook[]
  everyone: Everyone
}

/** What was filled in and refused, by the form it belongs to. */
export interface Refused {
  form: 'datos' | 'limites' | 'equipo'
  given: Record<string, string>
  errors: Errors
}

interface Props extends AppView {
  ctx: ConsoleContext
  refused?: Refused | undefined
}

/** One app: how it does, who is behind it, and everything that the marketplace decides about it. */
export function appPage({ ctx, app, refused, ...view }: Props) {
  const of = (form: Refused['form']) => (refused?.form === form ? refused : undefined)
  return (
    <ConsolePage
      ctx={ctx}
      title={app.nombre}
      section={APPS}
      script
      faulty={refused !== undefined}
      above={{ href: APPS, label: 'Apps' }}
      lead={
        <p class="facts">
          <AppEstado disabled={app.disabled} />
          {app.disabledAt && (
            <span>
              desde <Moment at={app.disabledAt} when={ctx} />
              {app.disabledReason && `: ${app.disabledReason}`}
            </span>
          )}
          <ModoBadge modo={app.modo} />
          <Copyable id="app-key" what="el AppKey">
            {app.appKey}
          </Copyable>
          <span>
            Creada: <Moment at={app.creada} when={ctx} />
          </span>
        </p>
      }
      acts={<Acts app={app} />}
    >
      <Tiles app={app} />
      <UsagePlots usage={view.usage} timeZone={ctx.timeZone} />
      <Webhooks app={app} webhooks={view.webhooks} when={ctx} />
      <Keys app={app} secrets={view.secrets} when={ctx} />
      <Limits app={app} everyone={view.everyone} refused={of('limites')} />
      <Topics app={app} />
      <Team app={app} members={view.members} pending={view.pending} when={ctx} refused={of('equipo')} />
      <Data app={app} refused={of('datos')} />
    </ConsolePage>
  )
}

const Acts = ({ app }: { app: AppAtWork }) =>
  app.disabled ? (
    <form method="post" action={`${appHref(app)}/habilitar`}>
      <button type="submit">Habilitar</button>
    </form>
  ) : (
    <a class="button secondary" href={`${appHref(app)}/deshabilitar`}>
      Deshabilitar
    </a>
  )

function Tiles({ app }: { app: AppAtWork }) {
  const { appKey, agencias, solicitudes, entregadas, intentosFallidos } = app
  const tiles: [string, number, string?][] = [
    ['Agencias asociadas', agencias, withQuery('/consola/agencias', { app: appKey })],
    ['Solicitudes en 24 h', solicitudes],
    ['Entregas en 24 h', entregadas, withQuery('/consola/entregas', { app: appKey })],
    ['Intentos fallidos en 24 h', intentosFallidos],
  ]
  return (
    <ul class="tiles">
      {tiles.map(([label, value, href]) => (
        <li key={label} class="tile">
          <strong>{inFigures(value)}</strong>
          {href ? <a href={href}>{label}</a> : label}
        </li>
      ))}
    </ul>
  )
}

const Data = ({ app, refused }: { app: AppAtWork; refused: Refused | undefined }) => (
  <section id="datos">
    <h2>Datos</h2>
    <form method="post" action={`${appHref(app)}/datos`} class="sheet limited" novalidate>
      <FaultList errors={refused?.errors} />
      <Field
        name="Nombre"
        label="Nombre"
        value={refused?.given.Nombre ?? app.nombre}
        errors={refused?.errors}
        more={{ maxlength: 120 }}
      />
      <ContactField value={refused?.given.Contacto ?? app.contacto} errors={refused?.errors} />
      <button type="submit">Guardar los datos</button>
    </form>
  </section>
)
