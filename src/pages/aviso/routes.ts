import type { FastifyInstance, FastifyReply } from 'fastify'
import { FOREVER } from '../../http/finish-response.ts'
import { addressKey, Limiter } from '../../http/limits.ts'
import { type Errors, notFound } from '../../http/problems.ts'
import { t } from '../../i18n/messages.tsx'
import { photosOf } from '../../photos/photo.ts'
import { findAgenciaById } from '../../resources/agencias/read.ts'
import { consentOf, isConsent, storeConsentText } from '../../resources/consultas/consent.ts'
import { readPerson } from '../../resources/consultas/person.ts'
import { findPublicacionById } from '../../resources/publicaciones/read.ts'
import { listSucursales } from '../../resources/sucursales/store.ts'
import { DRAWINGS, drawCar } from '../../sandbox/fiction/drawing.tsx'
import { formRoute } from '../form.ts'
import { HIDDEN, page } from '../page.ts'
import { allowGallery } from '../security.ts'
import { type PageDeps, seeOther } from '../signed-in.ts'
import { HONEYPOT, type InquiryValues, inAvisoOrder, keyFor, postedValues } from './form.tsx'
import { carPage, goneCarPage, inquiryPage, type Listed, thanksPage, unknownAvisoPage } from './pages.tsx'
import { shownPhotos } from './photos.tsx'

/** Enough for a person who asks about a few cars; a bot is held to one a minute. */
const BY_ADDRESS = { perSecond: 1 / 60, burst: 10 }
/** More inquiries than any car gets. */
const BY_PUBLICACION = { perSecond: 1 / 10, burst: 100 }

/** All fields of an inquiry; the comment alone may have 2,000 characters. */
const INQUIRY_FORM = formRoute(2800)

type OfAviso = { Params: { id: string } }

/** /aviso/{id}: a listing; /aviso/{id}/consultar: the inquiry form, whatever the listing's state. */
export function avisoRoutes(app: FastifyInstance, { store, intake, nowMs, catalogue, config }: PageDeps): void {
  const limits = { address: new Limiter(BY_ADDRESS, nowMs), publicacion: new Limiter(BY_PUBLICACION, nowMs) }
  const storedVersions = new Set<string>()

  async function find(id: string): Promise<Listed | undefined> {
    // One address for each listing: no leading zeros.
    const publicacion = /^[1-9]\d{0,8}$/.test(id) ? await findPublicacionById(store, Number(id)) : undefined
    const agencia = publicacion && (await findAgenciaById(store, publicacion.agenciaId))
    return publicacion && agencia && { publicacion, agencia }
  }
  const unknown = (reply: FastifyReply) => page(reply, unknownAvisoPage(), 404)

  /** The text of the consent is stored before anybody reads it. */
  async function ensureConsentStored(): Promise<void> {
    const consent = consentOf(config.brand.current().nombre)
    if (!storedVersions.has(consent.version)) await storeConsentText(store, consent)
    storedVersions.add(consent.version)
  }

  async function show(reply: FastifyReply, listed: Listed, values: InquiryValues, errors?: Errors, status = 400) {
    await ensureConsentStored()
    return page(
      reply,
      inquiryPage({ ...listed, values, errors: errors && inAvisoOrder(errors) }),
      errors ? status : 200,
    )
  }

  /** Only inquiries that are stored count against the limits: neither refused forms nor those over either limit. */
  function waitSeconds(ip: string, publicacion: number): number {
    const address = addressKey(ip)
    const byAddress = limits.address.take(address)
    if (!byAddress.allowed) return byAddress.retryAfterSeconds
    const byPublicacion = limits.publicacion.take(publicacion)
    if (!byPublicacion.allowed) limits.address.refund(address)
    return byPublicacion.retryAfterSeconds
  }
  function refund(ip: string, publicacion: number): void {
    limits.address.refund(addressKey(ip))
    limits.publicacion.refund(publicacion)
  }

  app.get<OfAviso>('/aviso/:id', HIDDEN, async ({ params: { id } }, reply) => {
    const listed = await find(id)
    if (!listed) return unknown(reply)
    if (listed.publicacion.estado !== 'Activa')
      return page(reply, goneCarPage(listed), listed.publicacion.estado === 'Archivada' ? 410 : 404)
    await ensureConsentStored()
    const colour = catalogue.colores.find((each) => each.id === listed.publicacion.colorId)?.html ?? undefined
    const { publicacion, agencia } = listed
    const [photos, sucursales] = await Promise.all([photosOf(store, [publicacion]), listSucursales(store, agencia.id)])
    const shown = shownPhotos(photos.get(publicacion.id) ?? [])
    allowGallery(reply, { foreign: shown.some(({ stored }) => !stored) })
    const { publicUrl } = config
    return page(reply, carPage({ ...listed, sucursales, photos: shown, publicUrl, values: postedValues(), colour }))
  })

  app.get<OfAviso>('/aviso/:id/consultar', HIDDEN, async ({ params: { id } }, reply) => {
    const listed = await find(id)
    return listed ? show(reply, listed, postedValues()) : unknown(reply)
  })

  app.post<OfAviso>('/aviso/:id/consultar', INQUIRY_FORM, async (request, reply) => {
    const listed = await find(request.params.id)
    if (!listed) return unknown(reply)
    const { publicacion } = listed
    const { form } = request
    const done = `/aviso/${publicacion.id}/consultar/gracias`
    if (form.get(HONEYPOT)) return seeOther(reply, done) // a bot sees success

    const values = postedValues(form)
    const { Consentimiento, Envio: _, ...fields } = values
    const person = readPerson(fields)
    const errors: Errors = 'errors' in person ? person.errors : {}
    if (!(await isConsent(store, Consentimiento))) errors.Consentimiento = [t('aviso.form.consentNeeded')]
    if ('errors' in person || errors.Consentimiento) return show(reply, listed, values, errors)

    const seconds = waitSeconds(request.ip, publicacion.id)
    if (seconds > 0) {
      reply.header('retry-after', String(seconds))
      return show(reply, listed, values, { _: [t('aviso.form.tooMany')] }, 429)
    }
    const about = {
      modo: publicacion.modo,
      sitioId: null,
      idempotencyKey: keyFor(publicacion.id, values),
      consentimiento: Consentimiento,
    }
    try {
      await intake.receive(about, { Aviso: publicacion.id, OrigenLead: 'form', Interesado: person })
    } catch (error) {
      refund(request.ip, publicacion.id)
      throw error
    }
    return seeOther(reply, done)
  })

  app.get<OfAviso>('/aviso/:id/consultar/gracias', HIDDEN, async ({ params: { id } }, reply) => {
    const listed = await find(id)
    return listed ? page(reply, thanksPage(listed)) : unknown(reply)
  })
}

/** GET /dibujos/{name}: a drawing that the demo names as the photo of a car. It depends on its name alone. */
export function drawingRoutes(app: FastifyInstance): void {
  app.get<{ Params: { dibujo: string } }>(`${DRAWINGS}:dibujo`, HIDDEN, ({ params }, reply) => {
    const drawing = drawCar(params.dibujo)
    if (!drawing) throw notFound()
    return reply
      .type('image/svg+xml')
      .headers({ 'cache-control': FOREVER, 'cross-origin-resource-policy': 'cross-origin' })
      .send(drawing)
  })
}
