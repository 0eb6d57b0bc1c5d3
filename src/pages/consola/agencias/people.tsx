import { fullName, MAIL_CHARACTERS } from '../../../accounts/account.ts'
import type { Rol } from '../../../accounts/links.ts'
import { notFound } from '../../../http/problems.ts'
import type { Agencia } from '../../../resources/agencias/agencia.ts'
import { inviteOperator, removeOperator } from '../../../resources/agencias/operators.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { DangerLink, EMAIL_INPUT, Form } from '../../fields.tsx'
import { formOf, formRoute, linesOf } from '../../form.ts'
import { Fields, type FormFields, type Refused } from '../../form-fields.tsx'
import { Section } from '../../parts.tsx'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { CONSOLE, type ConsolePages, type ShowRefused } from '../context.tsx'
import { AGENCIAS, agenciaAt, agenciaHref, type ById } from './list.tsx'

const REFUSALS = {
  invalid: 'Escriba un correo, por ejemplo nombre@agencia.com.',
  already: 'Esa persona ya administra la agencia.',
  'too-many': 'Ya le enviamos varios correos hoy. Espere hasta mañana, o pídale que busque el último.',
  blocked:
    'Quien usa esa dirección pidió no recibir más invitaciones. Si la espera, que escriba a atención al cliente.',
  flood: 'Hoy ya se enviaron todas las invitaciones que una agencia puede enviar en un día. Siga mañana.',
}

/** /consola/agencias/{id}/personas and …/administrador: the people of an agency, managed by the marketplace. */
export function agenciaPeopleRoutes(app: ConsolePages, deps: PageDeps, showRefused: ShowRefused<Agencia>): void {
  app.post<ById>('/agencias/:id/administrador', formRoute(MAIL_CHARACTERS), async (request, reply) => {
    const { ctx } = request
    const agencia = await agenciaAt(deps, request.params.id)
    const given = linesOf(formOf(request), ['Email'])
    const { kind } = await inviteOperator(deps, { agencia, email: given.Email, rol: 'administrador' })
    if (kind !== 'invited') return showRefused(reply, ctx, agencia, { given, errors: { Email: [REFUSALS[kind]] } })
    await ctx.audit('agencia.administrador', agencia.adminMail)
    return redirectWithNotice(reply, 'agencia-reemplazo', `${agenciaHref(agencia)}#personas`)
  })

  serveConfirmation(app, '/agencias/:id/personas/:accountId/quitar', {
    audience: CONSOLE,
    section: AGENCIAS,
    load: async ({ id, accountId }: { id: string; accountId: string }) => {
      const agencia = await agenciaAt(deps, id)
      const operador = agencia.operadores.find((each) => String(each.accountId) === accountId)
      // The administrator is replaced, not removed.
      if (operador?.rol !== 'vendedor') throw notFound('Esa persona no colabora en la agencia.')
      return { agencia, operador }
    },
    above: ({ agencia }) => ({ href: agenciaHref(agencia), label: agencia.nombre }),
    question: ({ operador }) => ({
      title: `¿Quitar a ${fullName(operador)}?`,
      button: 'Sí, quitar',
      consequences: [
        'Deja de ver las consultas y los avisos de la agencia, y sus sesiones se cierran.',
        'Las consultas que tiene a cargo siguen a su nombre; las ve quien administra.',
        'Las apps reciben agencia.modificada.',
      ],
    }),
    act: async ({ agencia, operador: { accountId } }, ctx) => {
      if (!(await removeOperator(deps, agencia, accountId))) throw notFound()
      await ctx.audit('agencia.quitar-persona', agencia.adminMail, { cuenta: accountId })
    },
    notice: 'agencia-operador-quitado',
    next: ({ agencia }) => `${agenciaHref(agencia)}#personas`,
  })
}

const ROLES: Record<Rol, string> = { administrador: 'Administrador', vendedor: 'Vendedor' }

const ADMINISTRATOR: FormFields = {
  Email: { label: 'Correo de la persona', more: { ...EMAIL_INPUT, autocomplete: 'off', maxlength: 50 } },
}

interface Props {
  agencia: Agencia
  pending: { accountId: number; email: string; rol: Rol }[]
  replacement: Refused | undefined
}

/** The people of the agency, and the form that invites another administrator. */
export const AgencyPeople = ({ agencia, pending, replacement }: Props) => (
  <Section id="personas" title="Personas">
    <ul class="rows">
      {agencia.operadores.map((operador) => (
        <li key={operador.accountId}>
          <span>
            <strong>{fullName(operador)}</strong>
            <span class="hint">{operador.email}</span>
          </span>
          <span class="badge">{ROLES[operador.rol]}</span>
          {operador.rol !== 'administrador' && (
            <DangerLink
              href={`${agenciaHref(agencia)}/personas/${operador.accountId}/quitar`}
              label="Quitar"
              to={`a ${fullName(operador)}`}
            />
          )}
        </li>
      ))}
      {pending.map(({ accountId, email, rol }) => (
        <li key={`${accountId}-${rol}`}>
          <span>
            <strong>{email}</strong>
            <span class="hint">
              {rol === 'administrador' ? 'Invitado a administrar la agencia' : 'Invitado'}; todavía no aceptó
            </span>
          </span>
        </li>
      ))}
    </ul>
    <details open={replacement !== undefined}>
      <summary>Poner a otra persona como administrador</summary>
      <Form action={`${agenciaHref(agencia)}/administrador`} errors={replacement?.errors} button="Enviar el enlace">
        <ul>
          <li>Le enviamos un enlace. Nada cambia hasta que lo acepte.</li>
          <li>Desde entonces su correo es el de la agencia; el de hoy les sirve a las apps 90 días más.</li>
          <li>Quien administra hoy deja de ver la agencia, y recibe un aviso.</li>
        </ul>
        <Fields fields={ADMINISTRATOR} {...replacement} />
      </Form>
    </details>
  </Section>
)
