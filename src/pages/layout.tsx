import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import { type Account, fullName } from '../accounts/account.ts'
import { type Brand, type BrandImage, imagePath } from '../brand/brand.ts'
import { stylesheetPath } from '../brand/stylesheet.ts'
import { currentLocale } from '../i18n/locale.ts'
import { labels, t } from '../i18n/messages.tsx'
import { ASSETS } from './assets.ts'
import { Hidden } from './fields.tsx'
import { FILTRAR } from './filtrar.ts'
import { homeOf, SignInLink } from './home-link.tsx'
import { Icon, type IconName } from './icon.tsx'
import { LanguageSwitch } from './language.tsx'
import { BrandContext, RefusedContext } from './page.ts'
import { CloseFold, Help, OpenFold } from './parts.tsx'
import { publicHref } from './public-href.ts'
import { THEME_ATTRIBUTES, THEMES, type Theme, ThemeContext } from './theme.ts'

export interface LayoutProps {
  /** The name of the marketplace where absent. */
  title?: string | undefined
  /** One sentence for search engines and link previews. */
  description?: string
  /** The entry of the main navigation that this page belongs to. */
  section?: Section
  /** A column beside the text, with the page's contents. */
  aside?: ComponentChildren
  /** On pages for people of an agency: who is signed in. */
  visitor?: Account | 'signed-out' | 'unknown'
  /** A page of people that search engines may find. */
  indexed?: boolean
  /** Whether the page has suggestions as one types, or passkeys; set the policy of `allowScript` with it. */
  script?: PageScript
  /** Whether Ctrl-K opens the dialog that finds any page. It needs scripts. */
  goTo?: boolean
  /** In the header, beside who is signed in. */
  bell?: ComponentChildren
  /** More elements of the head, such as those of a link preview. */
  head?: ComponentChildren
  children: ComponentChildren
}

export type PageScript = boolean | 'passkeys'

const SECTIONS = labels({
  '/docs/guia': 'comun.shell.guide',
  '/docs': 'comun.shell.reference',
  '/problemas': 'comun.shell.problems',
})
type Section = keyof typeof SECTIONS

export function Layout(props: LayoutProps) {
  const brand = useContext(BrandContext)
  const theme = useContext(ThemeContext)
  const stylesheet = stylesheetPath(brand)
  const favicon = brand.images.favicon
  const { title, description, section, aside, visitor, indexed, script, goTo, bell, head, children } = props
  return (
    <html lang={currentLocale()} data-theme={THEME_ATTRIBUTES[theme]}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title ? `${title} · ${brand.nombre}` : brand.nombre}</title>
        {description && <meta name="description" content={description} />}
        {favicon ? (
          <link rel="icon" href={imagePath(favicon)} type="image/png" />
        ) : (
          <link rel="icon" href={ASSETS.favicon.href} type="image/svg+xml" />
        )}
        <link rel="preload" href={ASSETS.font.href} as="font" type="font/woff2" crossorigin="anonymous" />
        <link rel="stylesheet" href={ASSETS.css.href} />
        {stylesheet && <link rel="stylesheet" href={stylesheet} />}
        {visitor && !indexed && <meta name="robots" content="noindex" />}
        {head}
        {script === 'passkeys' && <script src={ASSETS.passkey.href} defer />}
        {script === true && (
          <>
            <meta name="htmx-config" content={HTMX_CONFIG} />
            <script src={ASSETS.htmx.href} defer />
            <script src={ASSETS.copy.href} defer />
          </>
        )}
        {goTo && <script src={ASSETS.app.href} defer />}
      </head>
      <body>
        <a class="skip" href="#contenido">
          {t('comun.shell.skip')}
        </a>
        <header class="masthead">
          <Masthead brand={brand} href={typeof visitor === 'object' ? homeOf(visitor) : publicHref('/')} />
          {bell}
          {visitor ? <PeopleNav visitor={visitor} /> : <PartnersNav section={section} />}
        </header>
        <div class={aside ? 'frame with-aside' : 'frame'}>
          {aside}
          <main id="contenido" tabindex={-1}>
            {children}
          </main>
        </div>
        <footer class="footer">
          {visitor ? (
            <Help orElse={<p>{t('comun.help.market', { marca: brand.nombre })}</p>} />
          ) : (
            <p>{t('comun.shell.footer', { marca: brand.nombre })}</p>
          )}
          {brand.legal.length > 0 && (
            <p class="legal">
              {brand.legal.map(({ texto, url }) => (
                <a key={url} href={url} rel="noopener">
                  {texto}
                </a>
              ))}
            </p>
          )}
          <div class="row">
            <LanguageSwitch />
            <ThemeSwitch chosen={theme} />
          </div>
        </footer>
        {goTo && <GoTo />}
      </body>
    </html>
  )
}

/** Shows what /ir finds. */
const GoTo = () => (
  <template id="ir">
    <dialog class="go-to" aria-label={t('comun.palette.title')}>
      <form method="post" action={FILTRAR}>
        <Hidden values={{ lista: '/ir' }} />
        <label class="visually-hidden" for="ir-q">
          {t('comun.palette.label')}
        </label>
        <input
          id="ir-q"
          type="search"
          name="q"
          maxlength={100}
          autocomplete="off"
          spellcheck={false}
          placeholder={t('comun.palette.placeholder')}
        />
        <div aria-live="polite" />
        <p class="hint">{t('comun.palette.keys')}</p>
      </form>
    </dialog>
  </template>
)

interface NarrowPageProps extends Omit<LayoutProps, 'title' | 'aside' | 'section' | 'children'> {
  title: string
  /** Where the heading is longer than the title. */
  heading?: ComponentChildren
  overline?: ComponentChildren
  lead: ComponentChildren
  /** Whether the title begins with “Error”; by default it does where a form was refused. */
  faulty?: boolean
  children?: ComponentChildren
}

/** A page of one column: its heading, a paragraph, and a form or a few links. */
export function NarrowPage({ title, heading, overline, lead, faulty, children, ...page }: NarrowPageProps) {
  const refused = useContext(RefusedContext)
  return (
    <Layout title={(faulty ?? refused) ? t('comun.shell.error', { title }) : title} visitor="unknown" {...page}>
      <div class="narrow">
        <header class="lead">
          {overline}
          <h1>{heading ?? title}</h1>
          <p>{lead}</p>
        </header>
        {children}
      </div>
    </Layout>
  )
}

/** Above the heading of a page about something of test mode. */
export const TestMode = ({ modo }: { modo: Account['modo'] }) =>
  modo === 'prueba' ? (
    <p class="overline">
      <span class="badge test">{t('comun.shell.testMode')}</span>
    </p>
  ) : null

/** No code from attributes, no styles of its own, nothing put in the history: what the policy of our pages allows. */
const HTMX_CONFIG = JSON.stringify({ includeIndicatorCSS: false, history: false, mode: 'same-origin' })

/** The marketplace's logo or its name; ours is a wheel. */
function Masthead({ brand: { nombre, isNamed, images }, href }: { brand: Brand; href: string }) {
  const { logo, logoOscuro } = images
  return (
    <a class="brand" href={href}>
      {logo ? (
        <>
          <Logo image={logo} nombre={nombre} look={logoOscuro && 'on-light'} />
          {logoOscuro && <Logo image={logoOscuro} nombre={nombre} look="on-dark" />}
        </>
      ) : (
        <>
          {!isNamed && <Wheel />}
          {nombre}
        </>
      )}
    </a>
  )
}

const LOGO_HEIGHT = 32 // pixels

const Logo = ({ image, nombre, look }: { image: BrandImage; nombre: string; look: string | undefined }) => (
  <img
    class={look ? `logo ${look}` : 'logo'}
    src={imagePath(image)}
    alt={nombre}
    width={Math.round((image.ancho * LOGO_HEIGHT) / image.alto)}
    height={LOGO_HEIGHT}
  />
)

/** A rodado is a wheel. */
const Wheel = () => (
  <svg class="wheel" viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
    <circle cx="16" cy="16" r="12.5" stroke-width="4" />
    <path d="M16 16V7M16 16l8.6-2.8M16 16l5.3 7.3M16 16l-5.3 7.3M16 16l-8.6-2.8" stroke-width="2.2" />
  </svg>
)

const THEME_ICONS: Record<Theme, IconName> = { claro: 'sun', auto: 'monitor', oscuro: 'moon' }

/** Changes the theme of the pages, and returns to the page it is on. */
const ThemeSwitch = ({ chosen }: { chosen: Theme }) => (
  <form method="post" action="/tema" class="switch">
    {THEMES.map((theme) => {
      const label = t(`comun.theme.${theme}`)
      return (
        <button
          key={theme}
          type="submit"
          name="tema"
          value={theme}
          aria-pressed={theme === chosen ? 'true' : 'false'}
          title={label}
        >
          <Icon name={THEME_ICONS[theme]} />
          <span class="visually-hidden">{label}</span>
        </button>
      )
    })}
  </form>
)

const PartnersNav = ({ section }: { section: Section | undefined }) => (
  <>
    <nav id="principal" class="fold-sheet" popover="auto" aria-label={t('comun.shell.main')}>
      <CloseFold of="principal" />
      {Object.entries(SECTIONS).map(([href, label]) => (
        <a key={href} href={publicHref(href)} aria-current={href === section ? 'true' : undefined}>
          {label}
        </a>
      ))}
    </nav>
    <SignInLink />
    <OpenFold of="principal" icon="menu" label={t('comun.shell.menu')} />
  </>
)

function PeopleNav({ visitor }: { visitor: Account | 'signed-out' | 'unknown' }) {
  if (visitor === 'unknown') return null
  if (visitor === 'signed-out')
    return (
      <nav aria-label={t('comun.shell.main')}>
        <a href="/entrar">{t('comun.shell.signIn')}</a>
      </nav>
    )
  return (
    <>
      {visitor.modo === 'prueba' && <span class="badge test">{t('comun.shell.test')}</span>}
      <a class="button secondary small go-to-link" href="/ir">
        <Icon name="search" />
        <span>{t('comun.palette.title')}</span> <kbd>{t('comun.palette.shortcut')}</kbd>
      </a>
      <nav id="principal" class="fold-sheet" popover="auto" aria-label={t('comun.shell.main')}>
        <CloseFold of="principal" />
        {visitor.staff && <a href="/consola">{t('comun.shell.console')}</a>}
        {visitor.develops && <a href="/portal">{t('comun.shell.portal')}</a>}
        <a href="/cuenta" title={visitor.email}>
          <Icon name="user" />
          <span class="who">{fullName(visitor)}</span>
        </a>
        <form method="post" action="/salir">
          <button type="submit" class="plain">
            <Icon name="log-out" />
            {t('comun.shell.signOut')}
          </button>
        </form>
      </nav>
      <OpenFold of="principal" icon="user" label={t('comun.shell.account')} />
    </>
  )
}
