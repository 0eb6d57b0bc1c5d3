import { MAIL_CHARACTERS } from '../../../accounts/mail-address.ts'
import { notFound } from '../../../http/problems.ts'
import { listEnvelopes, MAIL_STATES, type MailFilters, readEnvelope, resendLetter } from '../../../mail/staff.ts'
import { inquiryWriter } from '../../../resources/consultas/letters.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { CONFIRMATION } from '../../form.ts'
import { page } from '../../page.ts'
import {
  type Asking,
  choiceParam,
  numberedCursorParam,
  pageLinks,
  type Query,
  textParam,
  wantsCsv,
} from '../../params.ts'
import { allowLetterFrame, asLetter } from '../../security.ts'
import { done, type PageDeps } from '../../signed-in.ts'
import type { ConsolePages } from '../context.tsx'
import { KINDS } from './labels.ts'
import { CORREOS, letterColumns, lettersPage } from './list-page.tsx'
import { letterPage } from './one-page.tsx'

type ById = { Params: { id: string } }

/** /consola/correos: what was written to whom, and whether it arrived. */
export function lettersRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, seal, config } = deps
  const writer = inquiryWriter(store, config)

  app.get<Asking>('/correos', async (request, reply) => {
    const { ctx } = request
    const { query } = request
    const asked = parseParams(query)
    if (wantsCsv(query)) {
      await ctx.audit('correos.bajar', '', filtersNoted(asked))
      const { rows } = await listEnvelopes(store, asked, { limit: MOST_CSV_ROWS })
      return sendCsv(reply, 'correos', letterColumns(ctx), rows)
    }
    await ctx.audit('correos.listar', '', filtersNoted(asked))
    const part = await listEnvelopes(store, asked, numberedCursorParam(query))
    const { to: para, kind: tipo, estado } = asked
    const ways = pageLinks(CORREOS, { para, tipo, estado }, part, ({ id }) => id)
    return page(reply, lettersPage({ ctx, asked, rows: part.rows, ways, mails: config.smtpUrl !== undefined }))
  })

  async function letterAt(id: string) {
    const letter = /^\d{1,15}$/.test(id) ? await readEnvelope(store, { seal, writer }, Number(id)) : undefined
    if (!letter) throw notFound('No hay un correo así. Los acuses de quien pidió supresión ya no están.')
    return letter
  }

  app.get<ById>('/correos/:id', async (request, reply) => {
    const { ctx } = request
    const letter = await letterAt(request.params.id)
    await ctx.audit('correo.leer', `correo ${letter.id}`, { tipo: letter.kind })
    return page(allowLetterFrame(reply), letterPage({ ctx, letter }))
  })

  app.post<ById>('/correos/:id/reenviar', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const { id, kind, contents } = await letterAt(request.params.id)
    const sent = await store.transaction(async (tx) => {
      const again = contents !== undefined && (await resendLetter(tx, id))
      if (again) await ctx.audit('correo.reenviar', `correo ${id}`, { tipo: kind }, tx)
      return again
    })
    return done(reply, sent ? 'correo-otra-vez' : 'correo-no-se-reenvia', `${CORREOS}/${id}`)
  })

  /** What stands in the frame of that page: the letter itself, which can run and ask for nothing. */
  app.get<ById>('/correos/:id/html', async (request, reply) => {
    const { ctx } = request
    const { id, kind, contents } = await letterAt(request.params.id)
    if (!contents) throw notFound()
    await ctx.audit('correo.leer', `correo ${id}`, { tipo: kind }) // it can be opened without its page
    return asLetter(reply).type('text/html; charset=utf-8').send(contents.html)
  })
}

function parseParams(query: Query): MailFilters {
  const kind = textParam(query, 'tipo')
  return {
    to: textParam(query, 'para', MAIL_CHARACTERS),
    kind: kind && Object.hasOwn(KINDS, kind) ? kind : undefined,
    estado: choiceParam(query, 'estado', MAIL_STATES),
  }
}

/** What was looked for, without whom: the log is no second place for people's addresses. */
const filtersNoted = ({ to, kind, estado }: MailFilters) => ({ tipo: kind, estado, porCorreo: to !== undefined })
