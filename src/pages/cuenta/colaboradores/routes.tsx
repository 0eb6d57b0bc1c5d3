import type { FastifyReply } from 'fastify'
import { fullName, MAIL_CHARACTERS } from '../../../accounts/account.ts'
import type { Rol } from '../../../accounts/links.ts'
import { isPasswordOf, MAX_PASSWORD } from '../../../accounts/password.ts'
import { type Errors, notFound } from '../../../http/problems.ts'
import { labels } from '../../../i18n/messages.tsx'
import { inviteOperador, removeOperador } from '../../../resources/agencias/operadores.ts'
import { pendingOperadores } from '../../../resources/agencias/read.ts'
import { AGENCY_REFUSALS, OPERADOR_ROLES, pendingHint } from '../../agency.tsx'
import { serveConfirmation } from '../../confirm.tsx'
import { DangerLink, EMAIL_INPUT, Form } from '../../fields.tsx'
import { CONFIRMATION_FORM, formRoute, passwordField, provenForm, textField } from '../../form.ts'
import { Fields, type FormFields, type Refused } from '../../form-fields.tsx'
import { page } from '../../page.ts'
import { NamedRow } from '../../parts.tsx'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import {
  type AccountPages,
  ADMINISTRATOR,
  type AgencyContext,
  AgencyPage,
  asAdministrator,
  atAgency,
} from '../context.tsx'

const LIST = '/cuenta/colaboradores'
type InviteRefusal = Exclude<Awaited<ReturnType<typeof inviteOperador>>['kind'], 'invited'>

const REFUSALS: Readonly<Record<InviteRefusal, string>> = labels({
  invalid: 'cuenta.people.invalid',
  already: 'cuenta.people.already',
  ...AGENCY_REFUSALS,
})

/** /cuenta/colaboradores and /cuenta/administrador: who works at the agency, decided by its administrator. */
export function accountPeopleRoutes(app: AccountPages, deps: PageDeps): void {
  const { store, attempts } = deps

  async function show(reply: FastifyReply, ctx: AgencyContext, refused?: Refused) {
    const decides = ctx.agencia.rol === 'administrador'
    const pending = decides ? await pendingOperadores(store, ctx.agencia.id) : []
    return page(reply, peoplePage({ ctx, decides, pending, refused }), refused ? 400 : 200)
  }

  app.get('/colaboradores', (request, reply) => show(reply, atAgency(request.ctx)))

  app.post('/colaboradores', provenForm(formRoute(MAIL_CHARACTERS)), async ({ ctx, form }, reply) => {
    const admin = asAdministrator(ctx)
    const email = textField(form, 'Email')
    const { kind } = await inviteOperador(deps, { agencia: admin.agencia, email, rol: 'vendedor', by: admin.account })
    if (kind === 'invited') return redirectWithNotice(reply, 'invitado', LIST)
    return show(reply, admin, { given: { Email: email }, errors: { Email: [REFUSALS[kind]] } })
  })

  serveConfirmation(app, '/colaboradores/:id/quitar', {
    audience: ADMINISTRATOR,
    section: LIST,
    // A vendedor, or a person who was invited and has not accepted.
    load: async ({ id }: { id: string }, { agencia }) => {
      const operador = agencia.operadores.find((each) => String(each.accountId) === id && each.rol === 'vendedor')
      if (operador) return { accountId: operador.accountId, name: fullName(operador), joined: true }
      const invited = (await pendingOperadores(store, agencia.id)).find((each) => String(each.accountId) === id)
      if (!invited) throw notFound()
      return { accountId: invited.accountId, name: invited.email, joined: false }
    },
    question: ({ name, joined }, { agencia }) =>
      joined
        ? {
            title: `¿Quitar a ${name}?`,
            button: 'Sí, quitar',
            consequences: [
              `Deja de ver ${agencia.nombre} y se cierran sus sesiones. Puede volver a invitarle cuando quiera.`,
            ],
          }
        : {
            title: `¿Retirar la invitación a ${name}?`,
            button: 'Sí, retirar',
            consequences: ['El enlace que recibió deja de servir.'],
          },
    act: ({ accountId }, { agencia, account }) => removeOperador(deps, agencia, accountId, account),
    form: provenForm(CONFIRMATION_FORM),
    notice: ({ joined }) => (joined ? 'quitado' : 'retirada'),
  })

  app.get('/administrador', async (request, reply) =>
    page(reply, administratorPage({ ctx: asAdministrator(request.ctx) })),
  )

  app.post('/administrador', formRoute(MAIL_CHARACTERS + MAX_PASSWORD), async ({ form, ctx: own }, reply) => {
    const ctx = asAdministrator(own)
    const { account, agencia } = ctx
    const email = textField(form, 'Email')
    const errors: Errors = {}
    // A stolen session must not be enough to give the agency away.
    const attempt = attempts.takeOwn(`cuenta ${account.id}`)
    if (await isPasswordOf(store, account, passwordField(form))) attempt.refund()
    else errors.Clave = ['No es su contraseña. Escríbala otra vez.']
    const invited = errors.Clave
      ? undefined
      : await inviteOperador(deps, { agencia, email, rol: 'administrador', by: account })
    if (invited?.kind === 'invited') return redirectWithNotice(reply, 'reemplazo', LIST)
    if (invited)
      errors.Email = [invited.kind === 'already' ? 'Usted ya administra la agencia.' : REFUSALS[invited.kind]]
    return page(reply, administratorPage({ ctx, refused: { given: { Email: email }, errors } }), 400)
  })
}

/** Another person's address, so the browser must not suggest one's own. */
const EMAIL = { label: 'Correo de la persona', max: 50, more: { ...EMAIL_INPUT, autocomplete: 'off' } } as const

const INVITATION = {
  Email: {
    ...EMAIL,
    hint: 'Le llega un enlace para sumarse como vendedor: ve la agencia y las consultas a su cargo.',
  },
} satisfies FormFields

const REPLACEMENT = {
  Email: EMAIL,
  Clave: {
    label: 'Su contraseña',
    hint: 'Para saber que es usted.',
    more: { type: 'password', autocomplete: 'current-password' },
  },
} satisfies FormFields

interface PeopleProps {
  ctx: AgencyContext
  decides: boolean
  pending: { accountId: number; email: string; rol: Rol }[]
  refused: Refused | undefined
}

const peoplePage = ({ ctx, decides, pending, refused }: PeopleProps) => (
  <AgencyPage
    ctx={ctx}
    section={LIST}
    title="Colaboradores"
    faulty={Boolean(refused)}
    intro={
      decides
        ? 'Quien administra ve todo y decide; un vendedor ve la agencia y las consultas a su cargo.'
        : `La administra ${ctx.agencia.adminMail}: es quien decide sobre apps y colaboradores.`
    }
  >
    <ul class="rows">
      {ctx.agencia.operadores.map((operador) => (
        <NamedRow
          key={operador.accountId}
          name={fullName(operador)}
          hint={[operador.email, operador.telefono].filter(Boolean).join(' · ')}
          badge={OPERADOR_ROLES[operador.rol]}
        >
          {decides && operador.rol !== 'administrador' && (
            <DangerLink href={`${LIST}/${operador.accountId}/quitar`} label="Quitar" to={`a ${fullName(operador)}`} />
          )}
        </NamedRow>
      ))}
      {pending.map(({ accountId, email, rol }) => (
        <NamedRow key={accountId} name={email} hint={pendingHint(rol)}>
          {!ctx.agencia.operadores.some((operador) => operador.accountId === accountId) && (
            <DangerLink href={`${LIST}/${accountId}/quitar`} label="Retirar" to={`la invitación a ${email}`} />
          )}
        </NamedRow>
      ))}
    </ul>
    {decides && (
      <>
        <details open={Boolean(refused)}>
          <summary>Invitar a un colaborador</summary>
          <Form action={LIST} class="" button="Enviar la invitación" errors={refused?.errors}>
            <Fields fields={INVITATION} {...refused} />
          </Form>
        </details>
        <p class="hint after">
          <a href="/cuenta/administrador">Poner a otra persona como administrador</a>
        </p>
      </>
    )}
  </AgencyPage>
)

const administratorPage = ({ ctx, refused }: { ctx: AgencyContext; refused?: Refused }) => (
  <AgencyPage
    ctx={ctx}
    section={LIST}
    parentLink={{ href: LIST, label: 'Colaboradores' }}
    title="Poner a otra persona como administrador"
    faulty={Boolean(refused)}
    intro="Le enviamos un enlace. Nada cambia hasta que lo acepte."
  >
    <div class="measure">
      <ul>
        <li>Desde entonces administra {ctx.agencia.nombre}, y su correo es el de la agencia para las apps.</li>
        <li>Usted deja de ver la agencia. Si va a seguir en ella, esa persona puede invitarle como vendedor.</li>
        <li>Les avisamos a las apps; su correo de hoy les sirve 90 días más.</li>
      </ul>
      <Form action="/cuenta/administrador" class="sheet" button="Enviar el enlace" errors={refused?.errors}>
        <Fields fields={REPLACEMENT} {...refused} />
      </Form>
    </div>
  </AgencyPage>
)
