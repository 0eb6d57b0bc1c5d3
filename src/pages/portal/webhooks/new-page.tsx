import type { Errors } from '../../../http/problems.ts'
import { DESCRIPTIONS, type Topic } from '../../../webhooks/topics.ts'
import { FaultList } from '../../fields.tsx'
import { type PortalContext, PortalPage } from '../context.tsx'
import type { WebhookForm } from './form.ts'
import { LABELS, SigningFields, WebhookFields } from './form-fields.tsx'
import { SECTION } from './list-page.tsx'
import { Sample } from './sample.tsx'

interface Props {
  ctx: PortalContext
  topic: Topic
  form: WebhookForm
  /** Other topics without a webhook, which may have the same. */
  others: readonly Topic[]
  /** Those of them that were chosen. */
  also: readonly string[]
  errors?: Errors | undefined
}

/** A topic's first configuration, for others with it if one likes. */
export const newWebhookPage = ({ ctx, topic, form, others, also, errors }: Props) => (
  <PortalPage
    ctx={ctx}
    section={SECTION}
    title={`Configurar ${topic}`}
    faulty={errors !== undefined}
    above={{ href: ctx.at + SECTION, label: 'Webhooks' }}
    lead={<p>{DESCRIPTIONS[topic]}</p>}
  >
    <div class="with-side">
      <form method="post" action={`${ctx.at}${SECTION}/${topic}`} class="sheet" novalidate>
        <FaultList errors={errors} labels={LABELS} />
        <WebhookFields form={form} errors={errors} />
        <SigningFields form={form} errors={errors} />
        {others.length > 0 && (
          <fieldset class="choices">
            <legend>Usar la misma dirección también para</legend>
            {others.map((other) => (
              <label key={other}>
                <input type="checkbox" name="tambien" value={other} checked={also.includes(other)} />
                <code>{other}</code>
              </label>
            ))}
          </fieldset>
        )}
        <button type="submit">Configurar</button>
      </form>
      <Sample topic={topic} />
    </div>
  </PortalPage>
)
