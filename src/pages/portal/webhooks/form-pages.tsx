import type { Errors } from '../../../http/problems.ts'
import { rich, t } from '../../../i18n/messages.tsx'
import { WEBHOOKS } from '../../../resources/appnotificaciones/document.ts'
import { masked } from '../../../resources/appnotificaciones/represent.ts'
import type { ShownOnce } from '../../../resources/appnotificaciones/settings.ts'
import { MAX_DESTINOS } from '../../../webhooks/delivery-ids.ts'
import type { Webhook } from '../../../webhooks/store.ts'
import type { Topic } from '../../../webhooks/topics.ts'
import { Form, type FormState, Hidden } from '../../fields.tsx'
import { Code, Json, PostButton, SecondaryLink, Secret } from '../../parts.tsx'
import { type PortalContext, PortalPage } from '../context.tsx'
import { addPath, webhookPath } from './destino.ts'
import { fieldLabels, RoutingFields, SigningFields, WebhookFields, type WebhookForm } from './form.tsx'

interface NewProps {
  ctx: PortalContext
  topic: Topic
  form: WebhookForm
  /** Other topics without a webhook, which may use the same address. */
  others: readonly Topic[]
  also: readonly string[]
  errors?: Errors | undefined
}

export const newWebhookPage = ({ ctx, topic, form, others, also, errors }: NewProps) => (
  <PortalPage
    ctx={ctx}
    title={t('portal.webhooks.configureTopic', { topic })}
    parentLink={{ href: `${ctx.basePath}/webhooks`, label: t('portal.nav.webhooks') }}
    intro={t(`entregas.topic.${topic}`)}
  >
    <div class="with-side">
      <Form
        action={`${ctx.basePath}/webhooks/${topic}`}
        class="sheet"
        given={form}
        errors={errors}
        labels={fieldLabels()}
        button={t('portal.webhooks.configure')}
      >
        <WebhookFields form={form} />
        <SigningFields form={form} />
        {others.length > 0 && (
          <fieldset class="choices">
            <legend>{t('portal.webhooks.also')}</legend>
            {others.map((other) => (
              <label key={other}>
                <input type="checkbox" name="tambien" value={other} checked={also.includes(other)} />
                <code>{other}</code>
              </label>
            ))}
          </fieldset>
        )}
      </Form>
      <Sample topic={topic} />
    </div>
  </PortalPage>
)

/** The form of another webhook for a topic. */
export const newDestinoPage = ({ ctx, topic, form, errors }: Pick<NewProps, 'ctx' | 'topic' | 'form' | 'errors'>) => (
  <PortalPage
    ctx={ctx}
    title={t('portal.destino.addTitle', { topic })}
    parentLink={{ href: `${ctx.basePath}/webhooks/${topic}`, label: topic }}
    intro={t('portal.destino.addIntro', { max: MAX_DESTINOS })}
  >
    <Form
      action={addPath(ctx.basePath, topic)}
      class="sheet limited"
      given={form}
      errors={errors}
      labels={fieldLabels()}
      button={t('portal.destino.addButton')}
    >
      <Hidden values={{ destino: form.destino }} />
      <WebhookFields form={form} />
      <RoutingFields form={form} />
      <SigningFields form={form} />
    </Form>
  </PortalPage>
)

interface EditProps extends Pick<FormState, 'errors' | 'now'> {
  ctx: PortalContext
  form: WebhookForm
  webhook: Webhook
  title: string
  /** The configuration being changed: if it changed in between, it is not overwritten. */
  version: string
}

/** The page that changes a webhook's settings, or what its deliveries are signed with. */
export function editPage(path: 'editar' | 'secret', props: EditProps) {
  const { ctx, webhook, title, version, form, errors, now } = props
  const { secretHint } = webhook
  const href = webhookPath(ctx.basePath, webhook)
  const isSigned = secretHint !== null
  const secretTitle = isSigned ? t('portal.webhooks.changeSecret') : t('portal.webhooks.sign')
  return (
    <PortalPage
      ctx={ctx}
      title={path === 'editar' ? t('portal.webhooks.editTitle') : secretTitle}
      parentLink={{ href, label: title }}
      intro={path === 'secret' && isSigned && t('portal.webhooks.bothSign')}
    >
      <Form action={`${href}/${path}`} given={form} errors={errors} now={now} labels={fieldLabels()}>
        <input type="hidden" name="version" value={version} />
        {path === 'editar' ? (
          <>
            <WebhookFields form={form} />
            <RoutingFields form={form} />
          </>
        ) : (
          <SigningFields form={form} />
        )}
        <div class="row">
          <button type="submit">{t('portal.webhooks.save')}</button>
          <SecondaryLink href={href}>{t('portal.webhooks.cancel')}</SecondaryLink>
        </div>
      </Form>
    </PortalPage>
  )
}

interface CreatedProps {
  ctx: PortalContext
  topics: readonly string[]
  webhook: Webhook
  /** Of its secret, what is shown this once. */
  shown: ShownOnce
  /** Whether it replaces another, which stays valid for a day. */
  replaces?: boolean
}

/** After a configuration: shows the secret once and offers a test. */
export function createdPage({ ctx, topics, webhook, shown, replaces = false }: CreatedProps) {
  const href = webhookPath(ctx.basePath, webhook)
  return (
    <PortalPage
      ctx={ctx}
      title={
        shown.Secret || shown.SecretEstandar ? t('portal.webhooks.ownSecret') : t('portal.webhooks.configuredTitle')
      }
      script
      parentLink={{ href, label: webhook.topic }}
      intro={topics.length > 1 && t('portal.webhooks.servesFor', { topics: topics.join(', ') })}
    >
      {shown.Secret && (
        <Secret label={t('portal.webhooks.theSecret')} value={shown.Secret}>
          {rich('portal.webhooks.keepSecret', { link: (text) => <a href="/docs/guia/verificar">{text}</a> })}
        </Secret>
      )}
      {shown.SecretEstandar && (
        <Secret label={t('portal.webhooks.standardSecret')} value={shown.SecretEstandar}>
          {rich('portal.webhooks.keepStandard', {
            masked: <code>{masked(webhook)}</code>,
            link: (text) => <a href="/docs/guia/verificar#biblioteca">{text}</a>,
          })}
        </Secret>
      )}
      <p>{replaces ? t('portal.webhooks.bothSignNow') : t('portal.webhooks.testWhenReady')}</p>
      <div class="row">
        <PostButton action={`${href}/prueba`}>{t('portal.webhooks.sendTest')}</PostButton>
        <SecondaryLink href={href}>{t('portal.webhooks.goTo')}</SecondaryLink>
      </div>
    </PortalPage>
  )
}

export function Sample({ topic }: { topic: string }) {
  const example = WEBHOOKS[topic]?.post?.requestBody?.content['application/json']?.example
  if (example === undefined) return null
  return (
    <aside>
      <h2>{t('portal.webhooks.sample')}</h2>
      <Code label={<code>POST, application/json: {topic}</code>}>
        <Json value={example} />
      </Code>
      <p class="hint">{rich('portal.webhooks.sampleHint')}</p>
    </aside>
  )
}
