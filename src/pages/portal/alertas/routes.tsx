import { conflict } from '../../../http/problems.ts'
import { formatMinutes } from '../../../i18n/format.ts'
import { message, rich, t } from '../../../i18n/messages.tsx'
import {
  ALERT_MINUTES,
  type AlertSettings,
  alertSettings,
  latestAlerts,
  MAX_ALERT_URL,
  removeAlerts,
  type SentAlert,
  saveAlerts,
  sendTestAlert,
  setAlertMinutes,
  setWantsEmails,
  wantsEmails,
} from '../../../webhooks/alerts.ts'
import { callbackRules, refuseTarget } from '../../../webhooks/callback-rules.ts'
import { translateError } from '../../../webhooks/send/explain.ts'
import { DeliveryEstadoBadge } from '../../entregas/list.tsx'
import { Form } from '../../fields.tsx'
import { CONFIRMATION_FORM, formRoute } from '../../form.ts'
import { Fields, type FormFields, type Refused, readFields } from '../../form-fields.tsx'
import { page } from '../../page.ts'
import { PostButton, Section } from '../../parts.tsx'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { type Column, momentColumn, Table } from '../../table.tsx'
import { type PortalContext, PortalPage, type PortalPages } from '../context.tsx'

const SECTION = '/alertas'
const DEFAULT_MINUTES = 15

/** /portal/{AppKey}/alertas: who hears of webhooks that fail, and where. */
export function alertsRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, seal, config } = deps
  const back = ({ basePath }: PortalContext) => basePath + SECTION

  app.get(SECTION, async ({ ctx }, reply) => page(reply, await alertsPage(deps, ctx)))

  app.post(SECTION, formRoute(MAX_ALERT_URL + 10), async ({ ctx, form }, reply) => {
    const rules = callbackRules(config, ctx.app.privateCallbacks)
    const known = await alertSettings(store, ctx.app.id)
    const fields = alertFields(known, (url) => refuseTarget(url, rules))
    const { given, errors } = readFields(fields, form)
    if (errors) return page(reply, await alertsPage(deps, ctx, { given, errors }), 400)
    const afterMinutes = Number(given.Minutos)
    await ctx.change(
      { act: 'alertas.guardar', subject: ctx.app.appKey, detail: { minutos: afterMinutes } },
      async (tx) => {
        if (given.Url) await saveAlerts(tx, seal, ctx.app.id, { url: new URL(given.Url), afterMinutes })
        else await setAlertMinutes(tx, ctx.app.id, afterMinutes)
      },
    )
    return redirectWithNotice(reply, 'alertas-guardadas', back(ctx))
  })

  app.post(`${SECTION}/prueba`, CONFIRMATION_FORM, async ({ ctx }, reply) => {
    await ctx.change({ act: 'alertas.probar', subject: ctx.app.appKey }, async (tx) => {
      if (!(await sendTestAlert(tx, ctx.app))) throw conflict({}, message('portal.alerts.noTest'))
    })
    return redirectWithNotice(reply, 'alerta-enviada', back(ctx))
  })

  app.post(`${SECTION}/quitar`, CONFIRMATION_FORM, async ({ ctx }, reply) => {
    await ctx.change({ act: 'alertas.quitar', subject: ctx.app.appKey }, (tx) => removeAlerts(tx, ctx.app.id))
    return redirectWithNotice(reply, 'alertas-quitadas', back(ctx))
  })

  app.post(`${SECTION}/correo`, CONFIRMATION_FORM, async ({ ctx, form }, reply) => {
    const wanted = form.get('quiere') === 'si'
    await ctx.change({ act: 'alertas.correo', subject: ctx.app.appKey, detail: { quiere: wanted } }, (tx) =>
      setWantsEmails(tx, ctx.app.id, ctx.account.id, wanted),
    )
    return redirectWithNotice(reply, 'alertas-guardadas', back(ctx))
  })
}

/** The address is a secret: it is not shown again, and stays if the field is empty. */
const alertFields = (known: AlertSettings | undefined, refuse: (url: URL) => string | undefined) =>
  ({
    Url: {
      label: t('portal.alerts.url'),
      hint: known ? t('portal.alerts.urlKept', { hint: known.urlHint }) : t('portal.alerts.urlHint'),
      max: MAX_ALERT_URL,
      ...(known ? { optional: true } : { missing: t('portal.alerts.urlMissing') }),
      more: { type: 'url', inputmode: 'url', autocomplete: 'off', spellcheck: false, maxlength: MAX_ALERT_URL },
      check: (text) => (URL.canParse(text) ? (refuse(new URL(text)) ?? false) : t('portal.alerts.urlFault')),
    },
    Minutos: {
      label: t('portal.alerts.after'),
      choices: ALERT_MINUTES.map((minutes) => [String(minutes), formatMinutes(minutes)] as const),
      missing: t('comun.field.chooseOne'),
    },
  }) satisfies FormFields

async function alertsPage({ store }: PageDeps, ctx: PortalContext, refused?: Refused) {
  const { app, account } = ctx
  const [settings, sent, wants] = await Promise.all([
    alertSettings(store, app.id),
    latestAlerts(store, app.id),
    wantsEmails(store, app.id, account.id),
  ])
  const path = ctx.basePath + SECTION
  const isContact = app.contacto?.toLowerCase() === account.email
  const given = refused?.given ?? { Url: '', Minutos: String(settings?.afterMinutes ?? DEFAULT_MINUTES) }
  return (
    <PortalPage ctx={ctx} title={t('portal.nav.alerts')} intro={t('portal.alerts.intro')}>
      <Section title={t('portal.alerts.mail')}>
        <p>
          {app.contacto
            ? rich('portal.alerts.mailContact', { contact: app.contacto })
            : t('portal.alerts.mailNoContact')}{' '}
          {isContact ? t('portal.alerts.mailIsContact') : t(wants ? 'portal.alerts.mailYes' : 'portal.alerts.mailNo')}
        </p>
        {!isContact && (
          <PostButton action={`${path}/correo`} class="secondary" hidden={{ quiere: wants ? 'no' : 'si' }}>
            {t(wants ? 'portal.alerts.mailStop' : 'portal.alerts.mailStart')}
          </PostButton>
        )}
      </Section>
      <Section title={t('portal.alerts.channel')}>
        <p>{rich('portal.alerts.channelHelp')}</p>
        <Form action={path} button={t('portal.alerts.save')} class="sheet" given={given} errors={refused?.errors}>
          <Fields fields={alertFields(settings, () => undefined)} />
        </Form>
        {settings && (
          <div class="row">
            <PostButton action={`${path}/prueba`} class="secondary">
              {t('portal.alerts.test')}
            </PostButton>
            <PostButton action={`${path}/quitar`} class="secondary">
              {t('portal.alerts.remove')}
            </PostButton>
          </div>
        )}
      </Section>
      {(settings || sent.length > 0) && (
        <Section title={t('portal.alerts.latest')}>
          <Table
            caption={t('portal.alerts.latest')}
            columns={columns(ctx)}
            rows={sent}
            empty={<p>{t('portal.alerts.none')}</p>}
          />
        </Section>
      )}
    </PortalPage>
  )
}

/** A message ends with the address of the webhook's page, too long for a table. */
function withShortLink(texto: string) {
  const [, text, path] = /^(.*\s)https?:\/\/[^/\s]+(\/\S+)$/s.exec(texto) ?? []
  if (!path) return texto
  return (
    <>
      {text}
      <a href={path}>{path.replace(/^.*\/webhooks\//, '')}</a>
    </>
  )
}

const columns = (ctx: PortalContext): Column<SentAlert>[] => [
  momentColumn(t('entregas.moment'), ctx, ({ at }) => at),
  { head: t('portal.alerts.text'), cell: ({ texto }) => <span class="named long">{withShortLink(texto)}</span> },
  {
    head: t('entregas.estado'),
    cell: ({ estado, error }) => (
      <span class="named">
        <DeliveryEstadoBadge estado={estado} failing={error !== null} />
        {error && estado !== 'entregada' && <span class="hint below">{translateError(error)}</span>}
      </span>
    ),
  },
]
