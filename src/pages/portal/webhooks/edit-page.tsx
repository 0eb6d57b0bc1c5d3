import type { Errors } from '../../../http/problems.ts'
import { FaultList } from '../../fields.tsx'
import { type PortalContext, PortalPage } from '../context.tsx'
import type { WebhookForm } from './form.ts'
import { LABELS, SigningFields, WebhookFields } from './form-fields.tsx'
import { SECTION } from './list-page.tsx'

interface Props {
  ctx: PortalContext
  topic: string
  form: WebhookForm
  /** Which configuration is being changed: another one in between is not overwritten. */
  version: string
  errors?: Errors | undefined
}

/** Where it goes, and what goes along. */
export const editPage = ({ ctx, topic, form, version, errors }: Props) => (
  <PortalPage
    ctx={ctx}
    section={SECTION}
    title="Editar el webhook"
    faulty={errors !== undefined}
    above={{ href: `${ctx.at}${SECTION}/${topic}`, label: topic }}
  >
    <form method="post" action={`${ctx.at}${SECTION}/${topic}/editar`} class="sheet limited" novalidate>
      <FaultList errors={errors} labels={LABELS} />
      <input type="hidden" name="version" value={version} />
      <WebhookFields form={form} errors={errors} />
      <div class="row">
        <button type="submit">Guardar</button>
        <a class="button secondary" href={`${ctx.at}${SECTION}/${topic}`}>
          Cancelar
        </a>
      </div>
    </form>
  </PortalPage>
)

/** What its deliveries are signed with. */
export const secretPage = ({ ctx, topic, form, version, errors, signed }: Props & { signed: boolean }) => (
  <PortalPage
    ctx={ctx}
    section={SECTION}
    title={signed ? 'Cambiar el Secret' : 'Firmar las notificaciones'}
    faulty={errors !== undefined}
    above={{ href: `${ctx.at}${SECTION}/${topic}`, label: topic }}
    lead={
      signed && (
        <p>
          El anterior sigue firmando junto al nuevo durante 24 horas, para que lo cambie en su servidor sin perder
          notificaciones.
        </p>
      )
    }
  >
    <form method="post" action={`${ctx.at}${SECTION}/${topic}/secret`} class="sheet limited" novalidate>
      <FaultList errors={errors} labels={LABELS} />
      <input type="hidden" name="version" value={version} />
      <SigningFields form={form} errors={errors} />
      <div class="row">
        <button type="submit">Guardar</button>
        <a class="button secondary" href={`${ctx.at}${SECTION}/${topic}`}>
          Cancelar
        </a>
      </div>
    </form>
  </PortalPage>
)
