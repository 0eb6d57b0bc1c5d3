import { membershipsOf } from '../../accounts/members.ts'
import type { App } from '../../apps/app.ts'
import { findApp, listApps } from '../../apps/store.ts'
import { fold } from '../../catalogue/text.ts'
import { t } from '../../i18n/messages.tsx'
import { agenciasNamed, findAgenciaById } from '../../resources/agencias/read.ts'
import { listAgenciasForStaff } from '../../resources/agencias/staff.ts'
import type { Consulta } from '../../resources/consultas/consulta.ts'
import { photosOfConsultas } from '../../resources/consultas/publicacion.ts'
import { findBySid, findConsulta } from '../../resources/consultas/read.ts'
import type { Publicacion } from '../../resources/publicaciones/publicacion.ts'
import { listOwn } from '../../resources/publicaciones/read.ts'
import { findPublicacionForStaff, listPublicacionesForStaff } from '../../resources/publicaciones/staff.ts'
import type { Db } from '../../store/db.ts'
import { isUlid } from '../../ulid.ts'
import { destinoOf, eventIdOf } from '../../webhooks/delivery-ids.ts'
import { listAppLog } from '../../webhooks/delivery-log.ts'
import { appIdOfEvent, findEvent } from '../../webhooks/event-deliveries.ts'
import type { Nav, NavItem } from '../app-shell.tsx'
import { consoleNav } from '../consola/context.tsx'
import { scopeOf } from '../cuenta/consultas/list.tsx'
import { type AccountContext, accountNav, agencyPath } from '../cuenta/context.tsx'
import { publicacionScope } from '../cuenta/publicaciones/routes.tsx'
import { consultaCar, publicacionName } from '../labels.tsx'
import { thumbnailsOf } from '../photo-states.tsx'
import { navOf } from '../portal/context.tsx'
import { carOf, type ShownCar } from '../thumbnail.tsx'

/** Where a search leads. */
export interface Hit extends NavItem {
  /** What it is, or which one. */
  detail?: string | undefined
  shown?: ShownCar | undefined
}

/** What was found, before its photo is known. */
interface Found extends Hit {
  publicacion?: Publicacion
  consulta?: Consulta
}

const MAX_PAGES = 8
const MAX_OF_KIND = 5
/** Of one's own; one has a few. */
const MAX_APPS = 20
/** Shorter texts find pages only. */
const MIN_CHARACTERS = 2
const DELIVERY_ID = /^[0-9A-HJKMNP-TV-Z]{26}(-\d)?$/

/**
 * The pages that the person has, those below the address `at` first, and what they may see with that id or name. Who sees
 * what at an agency is read from the primary, as in its lists.
 */
export async function find(db: Db, primary: Db, ctx: AccountContext, text: string, at: string) {
  const [apps, ownNav] = await Promise.all([ownApps(db, ctx), accountNav(db, ctx.account)])
  const words = fold(text).split(/\s+/).filter(Boolean)
  const pages = pagesOf(ctx, apps, ownNav).filter(({ label, detail }) => {
    const named = fold(`${label} ${detail ?? ''}`)
    return words.every((word) => named.includes(word))
  })
  const area = at
    .split('/')
    .slice(0, at.startsWith('/portal/') ? 3 : 2)
    .join('/')
  const isNear = ({ href }: Hit) => area.length > 1 && (href === area || href.startsWith(`${area}/`))
  const near = [...pages.filter(isNear), ...pages.filter((each) => !isNear(each))].slice(0, MAX_PAGES)
  if (text.length < MIN_CHARACTERS) return { pages: near, records: [] }
  const found = [
    ctx.account.staff ? await forStaff(db, ctx, text) : [],
    await forAgencies(db, primary, ctx, text),
    ...(await Promise.all(apps.map((app) => forApp(db, app, text)))),
  ]
  return { pages: near, records: await withPhotos(db, found.flat()) }
}

async function withPhotos(db: Db, records: readonly Found[]): Promise<Hit[]> {
  const [ofPublicaciones, ofConsultas] = await Promise.all([
    thumbnailsOf(
      db,
      records.flatMap(({ publicacion }) => publicacion ?? []),
    ),
    photosOfConsultas(
      db,
      records.flatMap(({ consulta }) => consulta ?? []),
    ),
  ])
  return records.map(({ publicacion, consulta, ...hit }) => {
    if (publicacion) return { ...hit, shown: { car: publicacion, photo: ofPublicaciones.get(publicacion.id) } }
    return consulta ? { ...hit, shown: { car: carOf(consulta), photo: ofConsultas.get(consulta.sid) } } : hit
  })
}

async function ownApps(db: Db, { account }: AccountContext): Promise<App[]> {
  const memberships = await membershipsOf(db, account.id)
  const apps = await Promise.all(memberships.slice(0, MAX_APPS).map(({ appKey }) => findApp(db, appKey)))
  return apps.filter((app) => app !== undefined)
}

const pagesOf = (ctx: AccountContext, apps: readonly App[], ownNav: Nav): Hit[] => [
  ...(ctx.account.staff ? consoleNav().items.map((item) => ({ ...item, detail: t('consola.title') })) : []),
  ...apps.flatMap((app) => navOf(app).items.map((item) => ({ ...item, detail: app.nombre }))),
  ...ownNav.items.map((item) => ({ ...item, detail: ownNav.title })),
]

/** The staff sees everything; what is found is in the audit log, as in the lists. */
async function forStaff(db: Db, ctx: AccountContext, text: string): Promise<Found[]> {
  const id = text.toUpperCase()
  if (DELIVERY_ID.test(id)) {
    const [inquiry, appId] = await Promise.all([
      isUlid(id) ? findBySid(db, id) : undefined,
      appIdOfEvent(db, eventIdOf(id)),
    ])
    return [
      ...(inquiry ? [ofConsulta(`/consola/consultas/${id}`, inquiry.consulta, t('comun.palette.consulta'))] : []),
      ...(appId === undefined ? [] : [hit(`/consola/entregas/${id}`, id, t('comun.palette.entrega'))]),
    ]
  }
  const number = /^\d{1,9}$/.test(text) ? Number(text) : undefined
  const limit = { limit: MAX_OF_KIND }
  const [publicacion, agency, apps, agencies, publicaciones] = await Promise.all([
    number === undefined ? undefined : findPublicacionForStaff(db, number),
    number === undefined ? undefined : findAgenciaById(db, number),
    listApps(db),
    listAgenciasForStaff(db, { q: text }, ctx.timeZone, limit),
    listPublicacionesForStaff(db, { externalId: text }, limit),
  ])
  if (agencies.rows.length > 0)
    await ctx.audit('agencias.listar', '', { porTexto: true, agencias: agencies.rows.length })
  const named = fold(text)
  return [
    ...[publicacion ?? [], ...publicaciones.rows]
      .flat()
      .map((row) => ofPublicacion(`/consola/publicaciones/${row.id}`, row, `${t('comun.palette.aviso')} ${row.id}`)),
    ...[agency ?? [], ...agencies.rows]
      .flat()
      .map((row) => hit(`/consola/agencias/${row.id}`, row.nombre, t('comun.palette.agencia'))),
    ...apps
      .filter(({ nombre, appKey }) => fold(nombre).includes(named) || appKey === text.toLowerCase())
      .slice(0, MAX_OF_KIND)
      .map(({ nombre, appKey }) => hit(`/consola/apps/${appKey}`, nombre, t('comun.palette.app'))),
  ]
}

/** What the person may see at each agency where they work. */
async function forAgencies(db: Db, primary: Db, ctx: AccountContext, text: string): Promise<Found[]> {
  const found = await Promise.all(
    ctx.all.map(async (agencia): Promise<Found[]> => {
      const id = text.toUpperCase()
      if (isUlid(id)) {
        const consulta = await findConsulta(db, await scopeOf(primary, { ...ctx, agencia }), id)
        return consulta ? [ofConsulta(`/cuenta/consultas/${id}`, consulta, agencia.nombre)] : []
      }
      const scope = await publicacionScope(primary, { ...ctx, agencia })
      const { rows } = await listOwn(db, { ...scope, text, page: 1, limit: MAX_OF_KIND })
      return rows.map((row) => {
        const href = agencyPath({ agencia, all: ctx.all }, '/cuenta/publicaciones', { q: row.externalId })
        return ofPublicacion(href, row, `${t('comun.palette.aviso')} ${row.externalId} · ${agencia.nombre}`)
      })
    }),
  )
  return found.flat()
}

async function forApp(db: Db, app: App, text: string): Promise<Hit[]> {
  const path = `/portal/${app.appKey}`
  const id = text.toUpperCase()
  if (DELIVERY_ID.test(id)) {
    const [event, about] = await Promise.all([
      findEvent(db, app, eventIdOf(id), destinoOf(id)),
      isUlid(id) ? listAppLog(db, app, { about: id }, { limit: 1 }, 'events') : undefined,
    ])
    const consulta = about?.rows.find(({ sid }) => sid === id)
    return [
      ...(event ? [hit(`${path}/eventos/${event.id}`, event.topic, ofEvent('evento', event))] : []),
      ...(event?.delivery ? [hit(`${path}/entregas/${id}`, event.topic, ofEvent('entrega', event))] : []),
      ...(consulta ? [hit(`${path}/entregas?q=${id}`, id, ofEvent('consulta', consulta))] : []),
    ]
  }
  const agencies = await agenciasNamed(db, app, text, MAX_OF_KIND)
  const named = await Promise.all(agencies.map((agencia) => findAgenciaById(db, agencia)))
  return named.flatMap((agencia) =>
    agencia
      ? hit(`${path}/entregas?q=${encodeURIComponent(agencia.nombre)}`, agencia.nombre, t('comun.palette.agencia'))
      : [],
  )
}

const ofEvent = (kind: 'evento' | 'entrega' | 'consulta', { agencia }: { agencia: { title: string } | null }): string =>
  [t(`comun.palette.${kind}`), agencia?.title].filter(Boolean).join(' · ')

const hit = (href: string, label: string, detail: string): Hit => ({ href, label, detail })

const ofPublicacion = (href: string, publicacion: Publicacion, detail: string): Found => ({
  ...hit(href, publicacionName(publicacion), detail),
  publicacion,
})

const ofConsulta = (href: string, consulta: Consulta, detail: string): Found => ({
  ...hit(href, consultaCar(consulta), detail),
  consulta,
})
