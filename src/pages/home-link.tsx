import type { FastifyRequest } from 'fastify'
import { renderToString } from 'preact-render-to-string'
import type { Account } from '../accounts/account.ts'
import { t } from '../i18n/messages.tsx'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who reads a public page; undefined unless signed in. */
    reader?: Account | undefined
  }
}

/** The first page after signing in, where no other page was requested. */
export const homeOf = ({ staff, develops }: Account): string => (staff ? '/consola' : develops ? '/portal' : '/cuenta')

/** In the header of public pages, which are rendered once for everybody. */
export const SignInLink = () => (
  <a class="button secondary small" href="/entrar">
    {t('comun.shell.signIn')}
  </a>
)

/** Leads a person who is signed in to their own pages instead. */
export function replaceSignInLink({ reader }: FastifyRequest, html: string | Buffer): string | Buffer {
  if (!reader) return html
  return html.toString().replace(renderToString(<SignInLink />), () => renderToString(<HomeLink reader={reader} />))
}

const HomeLink = ({ reader }: { reader: Account }) => (
  <a class="button secondary small" href={homeOf(reader)}>
    {t(reader.staff ? 'comun.shell.console' : reader.develops ? 'comun.shell.portal' : 'comun.shell.account')}
  </a>
)
