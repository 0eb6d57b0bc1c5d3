import type { Asociacion } from '../../../resources/agencias/agencia.ts'
import type { Reads } from '../../../resources/agencias/figures.ts'
import { formatDay } from '../../format.tsx'
import { AssociationActs, PermissionList } from '../../permissions.tsx'
import { type AgencyContext, AgencyPage } from '../context.tsx'
import { ReadsInWords } from './reads.tsx'

interface Props {
  ctx: AgencyContext
  asociaciones: Asociacion[]
  reads: Map<number, Reads>
}

/** The apps that work with the agency: what each may see and has read, and the way to change or end it. */
export function appsPage({ ctx, asociaciones, reads }: Props) {
  const { agencia } = ctx
  const decides = agencia.rol === 'administrador'
  return (
    <AgencyPage
      ctx={ctx}
      section="/cuenta/apps"
      title="Apps"
      lead={
        <p>
          Los sistemas que trabajan con la agencia.
          {!decides && ` Lo que puede hacer cada uno lo decide ${agencia.adminMail}.`}
        </p>
      }
    >
      {asociaciones.length === 0 ? (
        <p class="empty">
          Ninguna app trabaja hoy con la agencia. Para asociar una, use el enlace que le da el sistema con el que
          trabaja.
        </p>
      ) : (
        <ul class="cards">
          {asociaciones.map((asociacion) => (
            <li key={asociacion.app.appKey} class="card">
              <AppCard ctx={ctx} asociacion={asociacion} reads={reads.get(asociacion.app.id)} decides={decides} />
            </li>
          ))}
        </ul>
      )}
    </AgencyPage>
  )
}

interface CardProps {
  ctx: AgencyContext
  asociacion: Asociacion
  reads: Reads | undefined
  /** The administrator decides; others see. */
  decides: boolean
}

function AppCard({ ctx, asociacion, reads, decides }: CardProps) {
  const { app, desde } = asociacion
  const path = `/cuenta/apps/${app.appKey}`
  return (
    <>
      <h2>{app.nombre}</h2>
      <p class="hint">Desde el {formatDay(desde, ctx.timeZone)}</p>
      <div class="with-side even">
        <div>
          <h3>Qué puede hacer</h3>
          <ul class="checks">
            <li>Ver los datos y el paquete de la agencia, y las consultas de los avisos que publica</li>
            <PermissionList permisos={asociacion} />
          </ul>
        </div>
        <div>
          <h3>Qué leyó</h3>
          <ReadsInWords reads={reads} when={ctx} />
        </div>
      </div>
      {decides && <AssociationActs asociacion={asociacion} path={path} />}
    </>
  )
}
