import { t } from '../../i18n/messages.tsx'
import { ASSETS } from '../assets.ts'
import { Icon, type IconName } from '../icon.tsx'
import { Layout } from '../layout.tsx'
import { ButtonLink, CopyCode, Json, SecondaryLink } from '../parts.tsx'
import { publicHref } from '../public-href.ts'

/** Pasted in this order, with the keys in APP_KEY and APP_SECRET; a test runs them. */
export const samplesOf = (publicUrl: string) => ({
  token: `TOKEN=$(curl -s ${publicUrl}/oauth/token \\
  -u "$APP_KEY:$APP_SECRET" \\
  -d grant_type=client_credentials \\
  | jq -r .access_token)`,
  call: `curl -sG ${publicUrl}/v3/colores/bestmatch \\
  --data-urlencode "color=gris nardo" \\
  -H "Authorization: Bearer $TOKEN"`,
})
export const FIRST_ANSWER = {
  Nombre: 'Gris',
  HtmlColor: '#808080',
  _links: { self: { href: '/v3/colores/3' }, colores: { href: '/v3/colores' } },
}

const ABILITIES = [
  ['publish', 'car'],
  ['receive', 'zap'],
  ['invite', 'building-2'],
  ['match', 'search'],
  ['test', 'shield-check'],
  ['see', 'activity'],
] as const

const STEPS = ['keys', 'connect', 'live'] as const

const linksOf = (): [href: string, icon: IconName, title: string, text: string][] => [
  ['/docs/guia', 'book-open', t('inicio.guide.title'), t('inicio.guide.text')],
  ['/docs', 'code', t('inicio.reference.title'), t('inicio.reference.text')],
  ['/problemas', 'circle-alert', t('inicio.problems.title'), t('inicio.problems.text')],
  ['/openapi.json', 'plug', 'openapi.json', t('inicio.openapi.text')],
  ['/docs/cambios', 'history', t('docs.more.changes'), t('inicio.changes.text')],
  ['/estado', 'server', t('docs.more.status'), t('inicio.status.text')],
]

export function landingPage({ publicUrl }: { publicUrl: string }) {
  return (
    <Layout description={t('inicio.description')} head={<script src={ASSETS.copy.href} defer />}>
      <div class="landing">
        <header class="hero">
          <div>
            <h1>{t('inicio.title')}</h1>
            <p>{t('inicio.lead')}</p>
            <p class="row">
              <ButtonLink href={publicHref('/docs/guia')}>
                {t('inicio.start')}
                <Icon name="arrow-right" />
              </ButtonLink>
              <SecondaryLink href="/entrar">{t('inicio.portal')}</SecondaryLink>
            </p>
          </div>
          <FirstCall publicUrl={publicUrl} />
        </header>

        <section>
          <h2>{t('inicio.abilities')}</h2>
          <ul class="abilities">
            {ABILITIES.map(([name, icon]) => (
              <li key={name}>
                <Icon name={icon} />
                <h3>{t(`inicio.${name}.title`)}</h3>
                <p>{t(`inicio.${name}.text`)}</p>
              </li>
            ))}
          </ul>
        </section>

        <section>
          <h2>{t('inicio.steps')}</h2>
          <ol class="three-steps">
            {STEPS.map((name) => (
              <li key={name}>
                <h3>{t(`inicio.${name}.title`)}</h3>
                <p>{t(`inicio.${name}.text`)}</p>
              </li>
            ))}
          </ol>
        </section>

        <section>
          <h2>{t('inicio.documented')}</h2>
          <ul class="doors">
            {linksOf().map(([href, icon, title, text]) => (
              <li key={href}>
                <a href={publicHref(href)}>
                  <strong>
                    <Icon name={icon} /> {title}
                  </strong>
                  <span>{text}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>

        <section class="closing">
          <h2>{t('inicio.agency.title')}</h2>
          <p>{t('inicio.agency.text')}</p>
          <p>
            <SecondaryLink href="/entrar">{t('inicio.signIn')}</SecondaryLink>
          </p>
        </section>
      </div>
    </Layout>
  )
}

function FirstCall({ publicUrl }: { publicUrl: string }) {
  const { token, call } = samplesOf(publicUrl)
  const samples = [
    ['token', t('inicio.call.token'), token],
    ['llamada', t('inicio.call.colour'), call],
    ['respuesta', t('inicio.call.answer'), <Json value={FIRST_ANSWER} />],
  ] as const
  return (
    <div class="first-call">
      {samples.map(([id, label, sample]) => (
        <CopyCode key={id} id={`ejemplo-${id}`} label={label} what={label}>
          {sample}
        </CopyCode>
      ))}
    </div>
  )
}
