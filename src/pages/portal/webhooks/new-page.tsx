import type { Errors } from '../../../http/problems.ts'
import { DESCRIPTIONS, type Topic } from '../../../webhooks/topics.ts'
import { FaultList } from '../../fields.tsx'
import { PortalPage, type PortalVisit } from '../visit.tsx'
import type { WebhookForm } from './form.ts'
import { LABELS, SigningFields, WebhookFields } from './form-fields.tsx'
import { SECTION } from './list-page.tsx'
import { Sample } from './sample.tsx'

interface Props {
  visit: PortalVisit
  topic: Topic
  form: WebhookForm
  /** Other topics without a webhook, which may have the same. */
  others: readonly Topic[]
  /** Those of them that were chosen. */
  also: readonly string[]
  errors?: Errors | undefined
}

/** A topic's first configuration, for others with it if one likes. */
export const newWebhookPage = ({ visit, topic, form, others, also, errors }: Props) => (
  <PortalPage
    visit={visit}
    section={SECTION}
    title={`Configurar ${topic}`}
    faulty={errors !== undefined}
    above={{ href: visit.at + SECTION, label: 'Webhooks' }}
    lead={<p>{DESCRIPTIONS[topic]}</p>}
  >
    <div class="with-side">
      <form method="post" action={`${visit.at}${SECTION}/${topic}`} class="sheet" novalidate>
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
