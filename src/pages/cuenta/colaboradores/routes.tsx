import type { FastifyReply } from 'fastify'
import { fullName, MAIL_CHARACTERS } from '../../../accounts/account.ts'
import type { Rol } from '../../../accounts/links.ts'
import { isPasswordOf, MAX_PASSWORD } from '../../../accounts/password.ts'
import { type Errors, notFound } from '../../../http/problems.ts'
import { inviteOperator, removeOperator } from '../../../resources/agencias/operators.ts'
import { pendingOperadores } from '../../../resources/agencias/read.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { EMAIL_INPUT, FaultList, Field } from '../../fields.tsx'
import { formOf, formRoute, line, secret } from '../../form.ts'
import { page } from '../../page.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import {
  type AccountPages,
  ADMINISTRATOR,
  type AgencyContext,
  AgencyPage,
  asAdministrator,
  atAgency,
  ROLES,
} from '../context.tsx'

const LIST = '/cuenta/colaboradores'
type Refused = Exclude<Awaited<ReturnType<typeof inviteOperator>>['kind'], 'invited'>

const REFUSALS: Record<Refused, string> = {
  invalid: 'Escriba un correo de hasta 50 caracteres, por ejemplo nombre@agencia.com.',
  already: 'Esa persona ya trabaja en la agencia.',
  'too-many': 'Ya le enviamos varios correos hoy. Espere hasta mañana, o pídale que busque el último.',
  blocked:
    'Quien usa esa dirección pidió no recibir más invitaciones. Si la espera, que escriba a atención al cliente.',
  flood: 'Hoy ya se enviaron todas las invitaciones que una agencia puede enviar en un día. Siga mañana.',
}

/** /cuenta/colaboradores and /cuenta/administrador: who works at the agency, decided by its administrator. */
export function accountPeopleRoutes(app: AccountPages, deps: PageDeps): void {
  const { store, attempts } = deps

  app.get('/colaboradores', async (request, reply) => {
    const ctx = atAgency(request.ctx)
    return show(reply, ctx)
  })

  async function show(reply: FastifyReply, ctx: AgencyContext, invited?: { email: string; errors: Errors }) {
    const decides = ctx.agencia.rol === 'administrador'
    const pending = decides ? await pendingOperadores(store, ctx.agencia.id) : []
    return page(reply, peoplePage({ ctx, pending, invited }), invited ? 400 : 200)
  }

  app.post('/colaboradores', formRoute(MAIL_CHARACTERS), async (request, reply) => {
    const who = asAdministrator(request.ctx)
    const email = line(formOf(request), 'Email')
    const { kind } = await inviteOperator(deps, { agencia: who.agencia, email, rol: 'vendedor', by: who.account })
    if (kind === 'invited') return redirectWithNotice(reply, 'invitado', LIST)
    return show(reply, who, { email, errors: { Email: [REFUSALS[kind]] } })
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
            consequences: (
              <p>{`Deja de ver ${agencia.nombre} y se cierran sus sesiones. Puede volver a invitarle cuando quiera.`}</p>
            ),
          }
        : {
            title: `¿Retirar la invitación a ${name}?`,
            button: 'Sí, retirar',
            consequences: <p>El enlace que recibió deja de servir.</p>,
          },
    act: ({ accountId }, { agencia, account }) => removeOperator(deps, agencia, accountId, account),
    notice: ({ joined }) => (joined ? 'quitado' : 'retirada'),
  })

  app.get('/administrador', async (request, reply) => {
    const ctx = asAdministrator(request.ctx)
    return page(reply, administratorPage({ ctx }))
  })

  app.post('/administrador', formRoute(MAIL_CHARACTERS + MAX_PASSWORD), async (request, reply) => {
    const ctx = asAdministrator(request.ctx)
    const { account, agencia } = ctx
    const form = formOf(request)
    const email = line(form, 'Email')
    const errors: Errors = {}
    // A stolen session must not be enough to give the agency away.
    const attempt = attempts.takeOwn(`cuenta ${account.id}`)
    if (await isPasswordOf(store, account, secret(form))) attempt.giveBack()
    else errors.Clave = ['No es su clave. Escríbala otra vez.']
    const invited = errors.Clave
      ? undefined
      : await inviteOperator(deps, { agencia, email, rol: 'administrador', by: account })
    if (invited?.kind === 'invited') return redirectWithNotice(reply, 'reemplazo', LIST)
    if (invited)
      errors.Email = [invited.kind === 'already' ? 'Usted ya administra la agencia.' : REFUSALS[invited.kind]]
    return page(reply, administratorPage({ ctx, email, errors }), 400)
  })
}

/** A pending invitation. */
interface Pending {
  accountId: number
  email: string
  rol: Rol
}

interface PeopleProps {
  ctx: AgencyContext
  pending: Pending[]
  /** A refused invitation and its errors. */
  invited?: { email: string; errors: Errors } | undefined
}

/** The people of the agency, and, for its administrator, pending invitations. */
function peoplePage({ ctx, pending, invited }: PeopleProps) {
  const { agencia } = ctx
  const decides = agencia.rol === 'administrador'
  return (
    <AgencyPage
      ctx={ctx}
      section="/cuenta/colaboradores"
      title="Colaboradores"
      faulty={Boolean(invited)}
      lead={
        <p>
          {decides
            ? 'Quien administra ve todo y decide; un vendedor ve la agencia y las consultas a su cargo.'
            : `La administra ${agencia.adminMail}: es quien decide sobre apps y colaboradores.`}
        </p>
      }
    >
      <ul class="rows">
        {agencia.operadores.map((operador) => (
          <li key={operador.accountId}>
            <span>
              <strong>{fullName(operador)}</strong>
              <span class="hint">{[operador.email, operador.telefono].filter(Boolean).join(' · ')}</span>
            </span>
            <span class="badge">{ROLES[operador.rol]}</span>
            {decides && operador.rol !== 'administrador' && (
              <a class="danger" href={`/cuenta/colaboradores/${operador.accountId}/quitar`}>
                Quitar<span class="visually-hidden"> a {fullName(operador)}</span>
              </a>
            )}
          </li>
        ))}
        {decides && pending.map((each) => <PendingRow key={each.accountId} {...each} ctx={ctx} />)}
      </ul>
      {decides && <Invite invited={invited} />}
      {decides && (
        <p class="hint after">
          <a href="/cuenta/administrador">Poner a otra persona como administrador</a>
        </p>
      )}
    </AgencyPage>
  )
}

function PendingRow({ accountId, email, rol, ctx }: Pending & { ctx: AgencyContext }) {
  const works = ctx.agencia.operadores.some((operador) => operador.accountId === accountId)
  return (
    <li>
      <span>
        <strong>{email}</strong>
        <span class="hint">
          {rol === 'administrador' ? 'Invitado a administrar la agencia' : 'Invitado'}; todavía no aceptó
        </span>
      </span>
      {!works && (
        <a class="danger" href={`/cuenta/colaboradores/${accountId}/quitar`}>
          Retirar<span class="visually-hidden"> la invitación a {email}</span>
        </a>
      )}
    </li>
  )
}

const Invite = ({ invited }: Pick<PeopleProps, 'invited'>) => (
  <details open={Boolean(invited)}>
    <summary>Invitar a un colaborador</summary>
    <form method="post" action="/cuenta/colaboradores" novalidate>
      <FaultList errors={invited?.errors} />
      <Field
        name="Email"
        label="Correo de la persona"
        hint="Le llega un enlace para sumarse como vendedor: ve la agencia y las consultas a su cargo."
        value={invited?.email}
        errors={invited?.errors}
        more={MAIL_INPUT}
      />
      <button type="submit">Enviar la invitación</button>
    </form>
  </details>
)

/** Another person's address, so the browser must not suggest one's own. */
const MAIL_INPUT = { ...EMAIL_INPUT, autocomplete: 'off', maxlength: 50 } as const

/** Hands the agency over to another administrator. */
const administratorPage = ({ ctx, email, errors }: { ctx: AgencyContext; email?: string; errors?: Errors }) => (
  <AgencyPage
    ctx={ctx}
    section="/cuenta/colaboradores"
    above={{ href: '/cuenta/colaboradores', label: 'Colaboradores' }}
    title="Poner a otra persona como administrador"
    faulty={Boolean(errors)}
    lead={<p>Le enviamos un enlace. Nada cambia hasta que lo acepte.</p>}
  >
    <div class="measure">
      <ul>
        <li>Desde entonces administra {ctx.agencia.nombre}, y su correo es el de la agencia para las apps.</li>
        <li>Usted deja de ver la agencia. Si va a seguir en ella, esa persona puede invitarle como vendedor.</li>
        <li>Las apps se enteran del cambio; su correo de hoy les sirve 90 días más.</li>
      </ul>
      <form method="post" action="/cuenta/administrador" class="sheet" novalidate>
        <FaultList errors={errors} />
        <Field name="Email" label="Correo de la persona" value={email} errors={errors} more={MAIL_INPUT} />
        <Field
          name="Clave"
          label="Su clave"
          hint="Para saber que es usted."
          errors={errors}
          more={{ type: 'password', autocomplete: 'current-password' }}
        />
        <button type="submit">Enviar el enlace</button>
      </form>
    </div>
  </AgencyPage>
)
