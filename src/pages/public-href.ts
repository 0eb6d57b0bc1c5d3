import { currentLanguage } from '../i18n/locale.ts'

const PUBLIC_PAGE = /^(\/(?:(?:docs|problemas|estado)(?:\/[^?#]*)?)?|(?=\?))(\?[^#]*)?(#.*)?$/

/** The language of the page's address, if only that gives it: crawlers have no cookies. */
export function addressLocale(): string | undefined {
  const { locale, isInAddress } = currentLanguage()
  return isInAddress ? locale : undefined
}

/** A link on a public page. To another one it keeps the language of the address. */
export function publicHref(href: string): string {
  const locale = addressLocale()
  const [, path, query, anchor = ''] = (locale && PUBLIC_PAGE.exec(href)) || []
  return path === undefined ? href : `${path}${query ? `${query}&` : '?'}idioma=${locale}${anchor}`
}
