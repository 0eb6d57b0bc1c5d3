import type { FastifyRequest } from 'fastify'
import type { Account } from '../accounts/account.ts'
import { languageOf, preferLocale } from '../http/language.ts'
import { withLanguage } from '../i18n/locale.ts'
import type { Nav } from './app-shell.tsx'
import { consoleNav } from './consola/context.tsx'
import { accountNav } from './cuenta/context.tsx'
import { portalNav } from './portal/context.tsx'
import type { Menu } from './refusal.tsx'
import type { PageDeps } from './signed-in.ts'

type MenuDeps = Pick<PageDeps, 'sessions' | 'store'>

/** Who is signed in, and the navigation they have at this address: also a page that does not exist keeps it, in their language. */
export async function menuOf(deps: MenuDeps, request: FastifyRequest): Promise<Menu | undefined> {
  const account = await deps.sessions.signedIn(request)
  if (!account) return undefined
  preferLocale(request, account.idioma)
  const nav = await withLanguage(languageOf(request), () => navOf(deps, account, request.url))
  return { account, nav }
}

async function navOf({ store }: MenuDeps, account: Account, url: string): Promise<Nav | undefined> {
  const [, first, second] = (url.split('?')[0] ?? '').split('/')
  if (first === 'consola' && account.staff) return consoleNav()
  if (first === 'portal' && second) return portalNav(store, account, second)
  return first === 'cuenta' ? accountNav(store, account) : undefined
}
