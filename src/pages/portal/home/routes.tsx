import type { FastifyInstance } from 'fastify'
import type { Account, MemberRol } from '../../../accounts/account.ts'
import { membershipsOf } from '../../../accounts/members.ts'
import type { App } from '../../../apps/app.ts'
import { findApp } from '../../../apps/store.ts'
import { rich, t } from '../../../i18n/messages.tsx'
import { DocsLinks } from '../../docs/contents.tsx'
import { Layout } from '../../layout.tsx'
import { HIDDEN, page } from '../../page.ts'
import { Notice } from '../../parts.tsx'
import { type PageDeps, requireSignedIn, seeOther, takeNotice } from '../../signed-in.ts'
import { AppBadges } from '../context.tsx'

/** /portal: the person’s apps; redirects if there is only one. */
export function portalHomeRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { store } = deps

  app.get('/portal', HIDDEN, async (request, reply) => {
    const account = await requireSignedIn(deps, request, reply, '/portal')
    if (!account) return reply
    const memberships = await membershipsOf(store, account.id)
    if (memberships.length === 1) return seeOther(reply, `/portal/${memberships[0]?.appKey}`)
    const apps: OwnApp[] = []
    for (const { appKey, rol } of memberships) {
      const found = await findApp(store, appKey)
      if (found) apps.push({ ...found, rol })
    }
    return page(reply, homePage(account, apps, takeNotice(request, reply)))
  })
}

type OwnApp = App & { rol: MemberRol }

const homePage = (account: Account, apps: OwnApp[], notice: string | undefined) => (
  <Layout title={t('portal.home.title')} visitor={account}>
    {notice && (
      <Notice>
        <p>{notice}</p>
      </Notice>
    )}
    <header class="lead">
      <h1>{t('portal.home.title')}</h1>
      {apps.length > 0 && <p>{t('portal.home.choose')}</p>}
    </header>
    {apps.length === 0 ? (
      <section class="empty">
        <h2>{t('portal.home.none')}</h2>
        <p>
          {rich('portal.home.noneHelp', {
            email: account.email,
            link: (text) => <a href="/docs/guia">{text}</a>,
          })}
        </p>
      </section>
    ) : (
      <ul class="doors">
        {apps.map(({ appKey, nombre, modo, rol, disabled }) => (
          <li key={appKey}>
            <a href={`/portal/${appKey}`}>
              <strong>{nombre}</strong>
              <span>
                <AppBadges modo={modo} disabled={disabled} />
              </span>
              <span>{t(`portal.home.rol.${rol}`)}</span>
            </a>
          </li>
        ))}
      </ul>
    )}
    <DocsLinks />
  </Layout>
)
