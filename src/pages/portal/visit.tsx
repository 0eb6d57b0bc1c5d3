import type { FastifyReply, FastifyRequest } from 'fastify'
import { audit } from '../../accounts/audit.ts'
import type { Support } from '../../mail/support.ts'
import { supportOf } from '../../resources/agencias/support.ts'
import type { Db } from '../../store/db.ts'
import { asksForPart } from '../live.ts'
import { Moment, type When } from '../moment.tsx'
import { Help } from '../parts.tsx'
import { justDone, type People } from '../people.ts'
import { Workplace, type WorkplaceProps } from '../workplace.tsx'
import { type ByApp, type Developer, developerAt } from './access.ts'
import { placeOf } from './place.tsx'

/** A developer at a page of an app of theirs. */
export interface PortalVisit extends Developer, When {
  /** Where the portal of the app begins. */
  at: string
  support: Support
  /** What was just done, told once. */
  notice: string | undefined
  /** Notes in the audit log what is about to be shown, or was done: then in the transaction that does it, where there is one. */
  note(act: string, subject: string, detail?: Record<string, unknown>, tx?: Db): Promise<void>
}

/** Who visits the portal, and of which app; undefined where they were led elsewhere. */
export async function visitOf(
  people: People,
  request: FastifyRequest<ByApp>,
  reply: FastifyReply,
): Promise<PortalVisit | undefined> {
  const developer = await developerAt(people, request, reply)
  if (!developer) return undefined
  const { store, clock, config } = people
  return {
    ...developer,
    at: `/portal/${developer.app.appKey}`,
    support: supportOf(config),
    now: clock(),
    timeZone: config.timeZone,
    // A part that brings itself up to date must not take what the page is about to tell.
    notice: request.method === 'GET' && !asksForPart(request) ? justDone(request, reply) : undefined,
    note: (act, subject, detail, tx = store) =>
      audit(tx, { accountId: developer.account.id, via: 'portal', act, subject, ...(detail && { detail }) }),
  }
}

type PortalPageProps = Omit<WorkplaceProps, 'account' | 'place' | 'support' | 'notice' | 'current'> & {
  visit: PortalVisit
  /** The page's entry in the navigation, after the app: `/webhooks`; the overview's is empty. */
  section: string
}

/** A page of the portal. Where the app is disabled each of them says so: nothing else explains what is seen there. */
export const PortalPage = ({ visit, section, children, ...props }: PortalPageProps) => (
  <Workplace
    account={visit.account}
    support={visit.support}
    notice={visit.notice}
    place={placeOf(visit.app)}
    current={visit.at + section}
    {...props}
  >
    {visit.app.disabled && <Disabled visit={visit} />}
    {children}
  </Workplace>
)

const Disabled = ({ visit: { app, support, ...when } }: { visit: PortalVisit }) => (
  <div class="faults" role="note">
    <h2>El mercado deshabilitó esta app</h2>
    {app.disabledAt && (
      <p>
        Desde <Moment at={app.disabledAt} when={when} />
        {app.disabledReason ? `. Motivo: ${app.disabledReason}` : '.'}
      </p>
    )}
    <p>
      Sus llamadas a la API responden 401, y sus webhooks no reciben nada. Lo que ocurre mientras tanto se guarda 90
      días: cuando la habiliten, podrá reenviarlo desde Entregas o leerlo en Eventos.
    </p>
    <Help support={support} />
  </div>
)
