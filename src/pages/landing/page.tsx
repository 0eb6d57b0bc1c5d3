import { t } from '../../i18n/messages.tsx'
import { Icon, type IconName } from '../icon.tsx'
import { Layout } from '../layout.tsx'
import { ButtonLink, Code, Json, SecondaryLink } from '../parts.tsx'

/** The call that the page shows, and its answer; a test makes it. */
export const FIRST_CALL = '/v3/colores/bestmatch?color=gris%20nardo'
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
]

export function landingPage({ publicUrl }: { publicUrl: string }) {
  return (
    <Layout description={t('inicio.description')}>
      <div class="landing">
        <header class="hero">
          <div>
            <h1>{t('inicio.title')}</h1>
            <p>{t('inicio.lead')}</p>
            <p class="row">
              <ButtonLink href="/docs/guia">
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
                <a href={href}>
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

const FirstCall = ({ publicUrl }: { publicUrl: string }) => (
  <div class="first-call">
    <Code label={t('inicio.call.label')}>
      <span class="comment"># {t('inicio.call.token')}</span>
      {`
curl ${publicUrl}/oauth/token \\
  -u "$APP_KEY:$APP_SECRET" \\
  -d grant_type=client_credentials

`}
      <span class="comment"># {t('inicio.call.colour')}</span>
      {`
curl "${publicUrl}${FIRST_CALL}" \\
  -H "Authorization: Bearer $TOKEN"`}
    </Code>
    <Code label={t('inicio.call.answer')}>
      <Json value={FIRST_ANSWER} />
    </Code>
  </div>
)
