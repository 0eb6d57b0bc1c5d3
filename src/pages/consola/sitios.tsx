import type { Modo } from '../../apps/app.ts'
import { message, t } from '../../i18n/messages.tsx'
import {
  createSitioOnce,
  listSitios,
  listSitiosForStaff,
  newestSitio,
  revokeSitio,
  type Sitio,
} from '../../sitios/store.ts'
import { serveConfirmation } from '../confirm.tsx'
import { Acts, DangerLink, Form } from '../fields.tsx'
import { searchFilter, selectFilter } from '../filter.tsx'
import { formRoute, textField } from '../form.ts'
import { Fields, type Refused, readFields } from '../form-fields.tsx'
import { Moment } from '../format.tsx'
import { defineList, numberedPage, serveList } from '../list.tsx'
import { page } from '../page.ts'
import { idIn, requireFound } from '../params.ts'
import { ButtonLink, CopyCode, Secret, Section } from '../parts.tsx'
import { type PageDeps, redirectWithNotice } from '../signed-in.ts'
import { column, momentColumn } from '../table.tsx'
import {
  CONSOLE,
  type ConsoleContext,
  ConsolePage,
  type ConsolePages,
  MAX_NAME,
  modoColumn,
  modoField,
  modos,
  nameField,
} from './context.tsx'

const SITIOS = '/consola/sitios'
const SITIO_KEY = 'SitioKey'

const sitioFields = () => ({
  Nombre: nameField(),
  Modo: { ...modoField(), hint: t('consola.sites.mode.hint') },
})

/** The marketplace's own sites, whose keys hand in inquiries and read what is on offer. */
const SITIOS_LIST = defineList(() => ({
  audience: CONSOLE,
  section: SITIOS,
  title: t('consola.sites.title'),
  intro: t('consola.sites.intro'),
  filters: {
    q: searchFilter(t('consola.sites.site')),
    modo: selectFilter(t('consola.head.mode'), t('consola.filter.all.m'), modos()),
    estado: selectFilter(t('consola.sites.key'), t('consola.filter.all.f'), [
      ['vigentes', t('consola.sites.active')],
      ['revocadas', t('consola.sites.revokedOnes')],
    ]),
  },
  load: async ({ store }, request) => {
    const [found, newest] = await Promise.all([
      numberedPage(request, (cursor) => listSitiosForStaff(store, request.filters, cursor)),
      newestSitio(store),
    ])
    return { ...found, newest }
  },
  columns: (ctx) => [
    { head: t('consola.sites.number'), text: ({ id }) => id },
    column(t('consola.sites.site'), 'nombre', (nombre) => <strong>{nombre}</strong>),
    modoColumn(),
    momentColumn(t('consola.sites.created'), ctx, ({ creado }) => creado),
    {
      head: t('consola.sites.key'),
      cell: ({ id, nombre, revocado }) =>
        revocado ? (
          <span>
            <span class="badge">{t('consola.sites.badge.revoked')}</span> <Moment at={revocado} when={ctx} short />
          </span>
        ) : (
          <span class="row">
            <span class="badge ok">{t('consola.sites.badge.active')}</span>
            <DangerLink
              href={`${SITIOS}/${id}/revocar`}
              label={t('consola.sites.revoke')}
              to={t('consola.sites.revokeOf', { name: nombre })}
            />
          </span>
        ),
      text: ({ revocado }) => t(revocado ? 'consola.sites.badge.revoked' : 'consola.sites.badge.active'),
    },
    { head: t('consola.sites.revokedAt'), text: ({ revocado }) => revocado },
  ],
  empty: {
    none: (
      <>
        {t('consola.sites.none')} <Acts>{t('consola.sites.none.first')}</Acts>
      </>
    ),
    noMatch: t('consola.sites.noMatch'),
    all: t('consola.filter.seeAll.m'),
  },
  bottom: ({ found }, refused: Refused | undefined) => (
    <Acts>
      <Section title={t('consola.sites.create')}>
        <Form action={SITIOS} button={t('consola.sites.create.button')} {...refused}>
          {/* A form that is sent twice names a number that is no longer the newest. */}
          <input type="hidden" name="ultimo" value={found.newest} />
          <Fields fields={sitioFields()} />
        </Form>
      </Section>
    </Acts>
  ),
}))

const sitiosLink = () => ({ href: SITIOS, label: t('consola.nav.sitios') })

/** /consola/sitios: the marketplace's own sites and their keys. */
export function sitiosRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, config } = deps
  const showRefused = serveList(app, '/sitios', deps, SITIOS_LIST)

  app.post('/sitios', formRoute(MAX_NAME), async ({ ctx, form }, reply) => {
    const { given, errors } = readFields(sitioFields(), form)
    if (errors) return showRefused(reply, ctx, { given, errors })
    const newest = idIn(textField(form, 'ultimo'))
    const newSitio = { nombre: given.Nombre, modo: given.Modo as Modo }
    const created = await ctx.change<Awaited<ReturnType<typeof createSitioOnce>>>(
      (made) => made && { act: 'sitio.crear', subject: String(made.sitio.id), detail: newSitio },
      (tx) => createSitioOnce(tx, newSitio, newest),
    )
    if (!created) return redirectWithNotice(reply, 'sitio-ya-creado', SITIOS)
    return page(reply, createdPage(ctx, created, config.publicUrl), 201)
  })

  serveConfirmation(app, '/sitios/:id/revocar', {
    audience: CONSOLE,
    section: SITIOS,
    parentLink: sitiosLink,
    load: async (params: { id: string }) => {
      const found = (await listSitios(store)).find(({ id, revocado }) => String(id) === params.id && revocado === null)
      return requireFound(found, message('consola.sites.noSuch'))
    },
    question: ({ nombre }) => ({
      title: t('consola.sites.revoke.title', { name: nombre }),
      button: t('consola.sites.revoke.button'),
      consequences: [t('consola.sites.revoke.access'), t('consola.sites.revoke.past'), t('consola.sites.revoke.final')],
    }),
    act: ({ id }, ctx) => ctx.change({ act: 'sitio.revocar', subject: String(id) }, (tx) => revokeSitio(tx, id)),
    notice: 'sitio-revocado',
  })
}

/** The one page that shows a site's key. */
const createdPage = (ctx: ConsoleContext, made: { sitio: Sitio; sitioKey: string }, publicUrl: string) => (
  <ConsolePage ctx={ctx} title={made.sitio.nombre} script parentLink={sitiosLink()}>
    <Secret label={SITIO_KEY} value={made.sitioKey} />
    <p>{t('consola.sites.bearer')}</p>
    <CopyCode id="curl" label={t('consola.sites.try')} what={t('consola.sites.command')}>
      {`curl -H 'Authorization: Bearer ${made.sitioKey}' \\\n  ${publicUrl}/interno/v1/avisos`}
    </CopyCode>
    <p>
      <ButtonLink href={SITIOS}>{t('consola.sites.saved')}</ButtonLink>
    </p>
  </ConsolePage>
)
