import type { FastifyInstance } from 'fastify'
import { t } from '../../i18n/messages.tsx'
import { agenciasOfAccount } from '../../resources/agencias/read.ts'
import { Hidden } from '../fields.tsx'
import { FilterField } from '../filter.tsx'
import { FILTRAR } from '../filtrar.ts'
import { Icon } from '../icon.tsx'
import { NarrowPage } from '../layout.tsx'
import { HIDDEN, isPartial, page, sendPart } from '../page.ts'
import { textParam, type WithQuery } from '../params.ts'
import { type PageDeps, requireSignedIn, type SignedInContext, signedInContext } from '../signed-in.ts'
import { Thumbnail } from '../thumbnail.tsx'
import { find } from './find.ts'

/** /ir: goes to any page, and finds what has an id. The dialog that Ctrl-K opens shows the same (assets/app.js). */
export function goToRoutes(app: FastifyInstance, deps: PageDeps): void {
  app.get<WithQuery>('/ir', HIDDEN, async (request, reply) => {
    const account = await requireSignedIn(deps, request, reply, '/ir')
    if (!account) return reply
    const ctx = signedInContext(deps, request, reply, account, account.staff ? 'consola' : 'agencia')
    const all = await agenciasOfAccount(deps.store, account)
    const query = ctx.openMails(request.query)
    const text = textParam(query, 'q') ?? ''
    const at = textParam(query, 'en') ?? ''
    const found = (
      <Found ctx={ctx} {...(await find(await ctx.reader(), deps.store, { ...ctx, all, agencia: all[0] }, text, at))} />
    )
    if (isPartial(request)) return sendPart(reply, found)
    return page(
      reply,
      <NarrowPage title={t('comun.palette.title')} lead={t('comun.palette.lead')} visitor={account}>
        <form method="post" action={FILTRAR} class="filter">
          <Hidden values={{ lista: '/ir' }} />
          <FilterField name="q" label={t('comun.palette.label')} value={text} more={{ type: 'search' }} />
          <button type="submit" class="secondary">
            <Icon name="search" />
            {t('comun.list.search')}
          </button>
        </form>
        {found}
      </NarrowPage>,
    )
  })
}

function Found({ ctx, pages, records }: Awaited<ReturnType<typeof find>> & { ctx: SignedInContext }) {
  const hits = [...records, ...pages]
  if (hits.length === 0) return <p class="empty">{t('comun.palette.none')}</p>
  return (
    <ul class="hits">
      {hits.map(({ href, label, detail, shown }) => (
        <li key={href}>
          <a href={href}>
            {shown && <Thumbnail {...shown} ctx={ctx} />}
            <span class="hit">
              <span>{label}</span>
              {detail && <span class="hint">{detail}</span>}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
