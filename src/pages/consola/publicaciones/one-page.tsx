import { withQuery } from '../../../http/links.ts'
import type { Errors } from '../../../http/problems.ts'
import { money } from '../../../resources/consultas/labels.ts'
import type { ListedPublicacion } from '../../../resources/publicaciones/staff.ts'
import { Area, FaultList } from '../../fields.tsx'
import { inFigures, Moment } from '../../format.tsx'
import { publicacionName, SUSPENSION_LABELS } from '../../labels.tsx'
import { type Fact, Facts } from '../../parts.tsx'
import { agenciaHref } from '../agencias/parts.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { ModoBadge } from '../modo.tsx'
import { AvisoEstado, avisoHref, PUBLICACIONES } from './list.tsx'

export const MAX_REASON = 500

interface Props {
  ctx: ConsoleContext
  aviso: ListedPublicacion
  refused?: { motivo: string; errors: Errors } | undefined
}

/** One listing: what is offered, whether it is shown and why not, and the marketplace's say in it. */
export function avisoPage({ ctx, aviso, refused }: Props) {
  return (
    <ConsolePage
      ctx={ctx}
      title={publicacionName(aviso)}
      section={PUBLICACIONES}
      above={{ href: PUBLICACIONES, label: 'Avisos' }}
      faulty={refused !== undefined}
      lead={
        <p class="facts">
          <AvisoEstado {...aviso} />
          <ModoBadge modo={aviso.modo} />
          <span>Aviso {aviso.id}</span>
          {aviso.estado === 'Activa' && <a href={`/aviso/${aviso.id}`}>Verlo como lo ve cualquiera</a>}
        </p>
      }
    >
      <Visibility aviso={aviso} />
      <div class="with-side even">
        <section>
          <h2>El auto</h2>
          <Facts rows={carFacts(aviso)} />
        </section>
        <section>
          <h2>De quién es</h2>
          <Facts rows={ownerFacts(ctx, aviso)} />
        </section>
      </div>
      {aviso.estado !== 'Archivada' && <Moderation aviso={aviso} refused={refused} />}
    </ConsolePage>
  )
}

/** Why it is not shown. */
function Visibility({ aviso: { estado, suspensiones, motivo } }: { aviso: ListedPublicacion }) {
  if (estado === 'Activa') return null
  if (estado === 'Archivada') return <p class="empty">Terminó, y no puede volver a mostrarse.</p>
  return (
    <div class="notice reasons">
      {suspensiones.map((reason) => (
        <p key={reason}>
          {SUSPENSION_LABELS[reason]}
          {reason === 'mercado' && motivo ? `: ${motivo}` : '.'}
        </p>
      ))}
    </div>
  )
}

function Moderation({ aviso, refused }: Omit<Props, 'ctx'>) {
  if (aviso.suspensiones.includes('mercado'))
    return (
      <section>
        <h2>Moderación</h2>
        <p>Si se reactiva, se muestra cuando nada más lo impida y el paquete tenga lugar. La app se entera.</p>
        <form method="post" action={`${avisoHref(aviso)}/reactivar`}>
          <button type="submit">Reactivar</button>
        </form>
      </section>
    )
  return (
    <section>
      <h2>Moderación</h2>
      <form method="post" action={`${avisoHref(aviso)}/suspender`} class="sheet limited" novalidate>
        <FaultList errors={refused?.errors} />
        <p>Deja de mostrarse enseguida. Ni la app ni la agencia pueden devolverlo: solo el mercado.</p>
        <Area
          name="Motivo"
          label="Motivo"
          hint="Lo leen la app y la agencia. Diga qué hay que corregir."
          value={refused?.motivo}
          errors={refused?.errors}
          more={{ maxlength: MAX_REASON, rows: 3 }}
        />
        <button type="submit" class="danger">
          Suspender
        </button>
      </form>
    </section>
  )
}

function carFacts(aviso: ListedPublicacion): Fact[] {
  const { precioMoneda, precioImporte, kilometraje } = aviso
  return [
    ['Precio', precioMoneda && precioImporte !== null && money({ Moneda: precioMoneda, Importe: precioImporte })],
    ['Kilómetros', kilometraje === null ? null : inFigures(kilometraje)],
    ['Color', aviso.color],
    ['Carrocería', aviso.carroceria],
    ['Motor', [aviso.propulsion, aviso.transmision].filter(Boolean).join(', ')],
    ['Lugar', [aviso.ciudad, aviso.region].filter(Boolean).join(', ')],
    ['Fotos', aviso.fotos.length > 0 && `${aviso.fotos.length}`],
    ['Descripción', aviso.descripcion],
  ]
}

const ownerFacts = (ctx: ConsoleContext, aviso: ListedPublicacion): Fact[] => [
  ['Agencia', <a href={agenciaHref(aviso.agencia)}>{aviso.agencia.nombre}</a>],
  ['A cargo de', aviso.operador],
  ['Publicado por', <a href={`/consola/apps/${aviso.app.appKey}`}>{aviso.app.nombre}</a>],
  ['ExternalId', <code>{aviso.externalId}</code>],
  ['Referencia de stock', aviso.refStock],
  ['Exposición', aviso.exposicion],
  ['Publicado', <Moment at={aviso.creada} when={ctx} />],
  ['Modificado', <Moment at={aviso.modificada} when={ctx} />],
  ['Consultas', <a href={withQuery('/consola/consultas', { agencia: aviso.agencia.adminMail })}>Las de la agencia</a>],
]
