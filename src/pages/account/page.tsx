import { type Account, fullName } from '../../accounts/account.ts'
import type { Rol } from '../../accounts/links.ts'
import type { Errors } from '../../http/problems.ts'
import type { Support } from '../../mail/support.ts'
import type { Agencia, Asociacion } from '../../resources/agencias/agencia.ts'
import { FaultList, Field } from '../fields.tsx'
import { Layout } from '../layout.tsx'
import { Notice } from '../parts.tsx'
import { AgencyData, Apps, type Pending, People, ROLES } from './agency.tsx'

export interface Workplace {
  agencia: Agencia & { rol: Rol }
  asociaciones: Asociacion[]
  pending: Pending[]
}

export interface AccountProps {
  account: Account
  /** Where the person works, the agency they administer first. */
  workplaces: Workplace[]
  timeZone: string
  support: Support
  notice?: string | undefined
  /** What was wrong with an invitation of a collaborator, and whom it was for. */
  invited?: { email: string; errors: Errors } | undefined
}

/** The first page after signing in: the agency, its apps, its people, and one's own account. */
export function accountPage({ account, workplaces, timeZone, support, notice, invited }: AccountProps) {
  const [first] = workplaces
  const title = workplaces.length === 1 && first ? first.agencia.nombre : 'Mi cuenta'
  return (
    <Layout title={invited ? `Error: ${title}` : title} visitor={account} support={support}>
      {notice && (
        <Notice>
          <p>{notice}</p>
        </Notice>
      )}
      <header class="lead">
        <h1>{title}</h1>
        {workplaces.length === 0 && <p>{`Hola, ${fullName(account)}.`}</p>}
      </header>
      {workplaces.length === 0 && <NoAgency />}
      {workplaces.map((workplace) => (
        <AgencySection
          key={workplace.agencia.id}
          {...workplace}
          timeZone={timeZone}
          named={workplaces.length > 1}
          invited={invited}
        />
      ))}
      <Own account={account} />
    </Layout>
  )
}

const NoAgency = () => (
  <section class="empty">
    <h2>Todavía no trabaja en ninguna agencia</h2>
    <p>Su cuenta está lista. Para ver una agencia aquí:</p>
    <ul>
      <li>
        <strong>Si va a colaborar en una</strong>, pida a quien la administra que le invite con este mismo correo, y
        abra el enlace que le llega.
      </li>
      <li>
        <strong>Si quiere registrar la suya</strong>, pida una invitación en el sistema con el que trabaja.
      </li>
    </ul>
  </section>
)

type SectionProps = Workplace & Pick<AccountProps, 'timeZone' | 'invited'> & { named: boolean }

function AgencySection({ agencia, asociaciones, pending, timeZone, named, invited }: SectionProps) {
  const decides = agencia.rol === 'administrador'
  const { adminMail } = agencia
  return (
    <section class="agency" aria-label={agencia.nombre}>
      <p class="facts">
        {named && <strong class="name">{agencia.nombre}</strong>}
        <span class="badge">{ROLES[agencia.rol]}</span>
        {!decides && <span class="hint">La administra {adminMail}: es quien decide sobre apps y colaboradores.</span>}
      </p>
      <p>
        <a class="button" href={`/cuenta/consultas?agencia=${agencia.id}`}>
          Ver las consultas<span class="visually-hidden"> de {agencia.nombre}</span>
        </a>{' '}
        <a class="button secondary" href={`/cuenta/publicaciones?agencia=${agencia.id}`}>
          Ver los avisos<span class="visually-hidden"> de {agencia.nombre}</span>
        </a>
      </p>
      <div class="with-side">
        <div>
          <h2>Apps asociadas</h2>
          <Apps asociaciones={asociaciones} timeZone={timeZone} decides={decides} />
          <h2>Colaboradores</h2>
          <People agencia={agencia} pending={pending} decides={decides} />
          {decides && <Invite invited={invited} />}
        </div>
        <div>
          <h2>Datos de la agencia</h2>
          <AgencyData agencia={agencia} />
          {decides && (
            <p>
              <a href="/cuenta/administrador">Poner a otra persona como administrador</a>
            </p>
          )}
        </div>
      </div>
    </section>
  )
}

const Invite = ({ invited }: Pick<AccountProps, 'invited'>) => (
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
        more={{
          type: 'email',
          autocomplete: 'off',
          inputmode: 'email',
          autocapitalize: 'none',
          spellcheck: false,
          maxlength: 50,
        }}
      />
      <button type="submit">Enviar la invitación</button>
    </form>
  </details>
)

const Own = ({ account }: { account: Account }) => (
  <section class="own">
    <h2>Su acceso</h2>
    <dl class="data">
      <div>
        <dt>Nombre</dt>
        <dd>{fullName(account)}</dd>
      </div>
      <div>
        <dt>Correo</dt>
        <dd>{account.email}</dd>
      </div>
    </dl>
    <div class="row">
      <a class="button secondary" href="/cuenta/clave">
        Cambiar la clave
      </a>
      <form method="post" action="/cuenta/sesiones">
        <button type="submit" class="secondary">
          Cerrar todas las sesiones
        </button>
      </form>
    </div>
  </section>
)
