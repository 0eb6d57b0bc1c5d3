import { notFound } from '../../../http/problems.ts'
import { readEmail, resendEmail } from '../../../mail/mails.ts'
import { inquiryWriter } from '../../../resources/consultas/emails.ts'
import { CONFIRMATION } from '../../form.ts'
import { serveList } from '../../list.tsx'
import { page } from '../../page.ts'
import { allowLetterFrame, asLetter } from '../../security.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import type { ConsolePages } from '../context.tsx'
import { CORREOS, CORREOS_LIST } from './list.tsx'
import { letterPage } from './one-page.tsx'

type ById = { Params: { id: string } }

/** /consola/correos: what was written to whom, and whether it arrived. */
export function lettersRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, seal, config } = deps
  const writer = inquiryWriter(store, config)

  serveList(app, '/correos', deps, CORREOS_LIST)

  async function letterAt(id: string) {
    const letter = /^\d{1,15}$/.test(id) ? await readEmail(store, { seal, writer }, Number(id)) : undefined
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
      const again = contents !== undefined && (await resendEmail(tx, id))
      if (again) await ctx.audit('correo.reenviar', `correo ${id}`, { tipo: kind }, tx)
      return again
    })
    return redirectWithNotice(reply, sent ? 'correo-otra-vez' : 'correo-no-se-reenvia', `${CORREOS}/${id}`)
  })

  /** The HTML of the e-mail, for the frame on its page: it can neither run nor load anything. */
  app.get<ById>('/correos/:id/html', async (request, reply) => {
    const { ctx } = request
    const { id, kind, contents } = await letterAt(request.params.id)
    if (!contents) throw notFound()
    await ctx.audit('correo.leer', `correo ${id}`, { tipo: kind }) // it can be opened without its page
    return asLetter(reply).type('text/html; charset=utf-8').send(contents.html)
  })
}
