import type { FastifyInstance } from 'fastify'
import { setIdioma } from '../accounts/store.ts'
import { DAY_SECONDS } from '../clock.ts'
import { rememberLocale } from '../http/language.ts'
import { currentLocale, isLocale, LOCALES, type Locale } from '../i18n/locale.ts'
import { t } from '../i18n/messages.tsx'
import { formRoute, textField } from './form.ts'
import { type PageDeps, seeOther } from './signed-in.ts'
import { THEME_COOKIE, themeNamed } from './theme.ts'

/** Each language by its own name, so that its readers find it. */
const NAMES: Record<Locale, string> = { es: 'Español', pt: 'Português', en: 'English' }

/** Changes the language of the pages, and returns to the page it is on. */
export const LanguageSwitch = () => (
  <form method="post" action="/idioma" class="switch" aria-label={t('comun.language')}>
    {LOCALES.map((locale) => (
      <button
        key={locale}
        type="submit"
        name="idioma"
        value={locale}
        lang={locale}
        aria-pressed={locale === currentLocale() ? 'true' : 'false'}
      >
        {NAMES[locale]}
      </button>
    ))}
  </form>
)

/** /idioma: remembered in the browser and, for emails, with the account of a signed-in person. */
export function languageRoutes(app: FastifyInstance, { sessions, store }: PageDeps): void {
  app.post('/idioma', formRoute(10), async (request, reply) => {
    const idioma = textField(request.form, 'idioma')
    if (isLocale(idioma)) {
      rememberLocale(reply, idioma)
      const account = await sessions.signedIn(request)
      if (account) {
        request.writer = `account:${account.id}`
        await setIdioma(store, account.id, idioma)
      }
    }
    return seeOther(reply, withoutLanguage(returnTo(request.headers.referer)))
  })
}

const YEAR_SECONDS = 365 * DAY_SECONDS

/** POST /tema: keeps the theme in this browser, and returns to the page of the form. */
export function themeRoutes(app: FastifyInstance): void {
  app.post('/tema', formRoute(20), async (request, reply) => {
    const theme = themeNamed(textField(request.form, 'tema'))
    reply.server.cookies.set(reply, THEME_COOKIE, theme, theme === 'auto' ? 0 : YEAR_SECONDS)
    return seeOther(reply, returnTo(request.headers.referer))
  })
}

/** A language in the address would prevail over the choice. */
const withoutLanguage = (href: string): string => href.replace(/(?<=[?&])idioma=[^&]*&?/, '').replace(/[?&]$/, '')

/** The page that the form was on: always of this server, because only path and query of the address are used. */
function returnTo(referer = ''): string {
  if (!URL.canParse(referer)) return '/'
  const { pathname, search } = new URL(referer)
  return /^\/(?!\/)/.test(pathname) ? pathname + search : '/'
}
