import type { FastifyReply } from 'fastify'
import type { ComponentChildren, VNode } from 'preact'
import { t } from '../i18n/messages.tsx'
import { type Audience, hrefIn, type NavItem } from './app-shell.tsx'
import { Hidden } from './fields.tsx'
import { CONFIRMATION_FORM, type formRoute, type provenForm } from './form.ts'
import { listPath } from './list-form.ts'
import { type PageApp, type PageRequest, page } from './page.ts'
import { type NoticeName, redirectWithNotice } from './signed-in.ts'

interface ConfirmProps {
  /** The consequences. */
  children: ComponentChildren
  action: string
  button: string
  hidden?: Record<string, string> | undefined
  fields?: ComponentChildren
  /** The page that "No, volver" leads to. */
  back: string
  /** The act only adds something, so the button does not warn. */
  mild?: boolean | undefined
}

/** Asks before an act that cannot be undone with a click; works without scripts. */
export const Confirm = ({ children, action, button, hidden = {}, fields, back, mild = false }: ConfirmProps) => {
  const buttons = (
    <>
      <button type="submit" class={mild ? undefined : 'danger'}>
        {button}
      </button>
      <a class="button secondary" href={back}>
        {t('comun.confirm.back')}
      </a>
    </>
  )
  return (
    <div class="measure">
      {children}
      <form method="post" action={action} class={fields ? 'sheet limited' : 'row'}>
        <Hidden values={hidden} />
        {fields}
        {fields ? <div class="row">{buttons}</div> : buttons}
      </form>
    </div>
  )
}

/** An act that a person confirms: GET shows the question, POST does it. */
interface Confirmation<Ctx, Params, Subject> {
  audience: Audience<Ctx>
  section: string
  /** Its link is made by `listFormPath`: the list in `section` is shown again as it was. */
  onList?: true
  /** Finds what the act is about; throws where it does not exist or the person may not do it. */
  load(params: Params, ctx: Ctx): Promise<Subject> | Subject
  /** The page that it belongs to, where that is not the section. */
  parentLink?(subject: Subject, ctx: Ctx): NavItem
  question(subject: Subject, ctx: Ctx): Question
  act(subject: Subject, ctx: Ctx, form: URLSearchParams): Promise<unknown>
  /** Options of the POST, where the form has text. */
  form?: ReturnType<typeof formRoute> | ReturnType<typeof provenForm>
  notice: NoticeName | ((subject: Subject) => NoticeName)
  /** The page to show afterwards; by default the page above, or the section. */
  next?(subject: Subject, ctx: Ctx): string
}

type Question = Pick<ConfirmProps, 'button' | 'hidden' | 'fields' | 'mild'> & {
  title: string
  /** A list of them, or another form. */
  consequences: string[] | VNode
}

const consequenceList = (consequences: string[]) =>
  consequences.length === 1 ? (
    <p>{consequences[0]}</p>
  ) : (
    <ul>
      {consequences.map((consequence) => (
        <li key={consequence}>{consequence}</li>
      ))}
    </ul>
  )

export function serveConfirmation<Ctx, Params, Subject>(
  app: PageApp<Ctx>,
  path: string,
  confirmation: Confirmation<Ctx, Params, Subject>,
): void {
  const { audience, section, onList, parentLink, question, act, form, notice, next } = confirmation

  async function open(request: PageRequest<Ctx>) {
    const { ctx, params } = request
    const subject = await confirmation.load(params as Params, ctx)
    const parent = parentLink?.(subject, ctx)
    const list = onList ? listPath(section, request) : hrefIn(audience, ctx, section)
    return { ctx, subject, parent, back: parent?.href ?? list }
  }

  app.get(path, async (request, reply) => {
    const { ctx, subject, parent, back } = await open(request)
    audience.assertMayAct?.(ctx)
    const { title, consequences, ...rest } = question(subject, ctx)
    const { Page } = audience
    return page(
      reply,
      <Page ctx={ctx} title={title} parentLink={parent}>
        <Confirm action={onList ? request.url : (request.url.split('?')[0] as string)} back={back} {...rest}>
          {Array.isArray(consequences) ? consequenceList(consequences) : consequences}
        </Confirm>
      </Page>,
    )
  })

  app.post(path, form ?? CONFIRMATION_FORM, async (request, reply): Promise<FastifyReply> => {
    const { ctx, subject, back } = await open(request)
    await act(subject, ctx, request.form)
    const name = typeof notice === 'function' ? notice(subject) : notice
    return redirectWithNotice(reply, name, next?.(subject, ctx) ?? back)
  })
}
