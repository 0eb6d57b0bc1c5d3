import type { Consulta } from '../../../resources/consultas/consulta.ts'
import type { ConsultaTold } from '../../../resources/consultas/staff.ts'
import { EstadoBadge } from '../../entregas/columns.tsx'
import { type Column, Table } from '../../table.tsx'
import { consultaHref } from './parts.tsx'

interface Props {
  consulta: Consulta
  told: ConsultaTold[]
  seeing: { appKey: string; nombre: string }[]
}

/** The apps that an inquiry was told, how each delivery went, and the way to send it again. */
export function Tellings({ consulta, told, seeing }: Props) {
  const untold = seeing.filter(({ appKey }) => !told.some((each) => each.app.appKey === appKey))
  return (
    <section id="entregas">
      <h2>A qué apps se avisó</h2>
      <Table
        caption="Entregas de la consulta"
        columns={columns(consulta, seeing)}
        rows={told}
        keyOf={({ evento }) => evento}
        empty={<p>A ninguna: cuando llegó, ninguna app veía esta consulta.</p>}
      />
      {untold.map((app) => (
        <div key={app.appKey} class="row">
          <span>{app.nombre} la ve hoy, y nunca se le avisó.</span>
          <Resend consulta={consulta} app={app} label="Avisar" />
        </div>
      ))}
    </section>
  )
}

const columns = (consulta: Consulta, seeing: Props['seeing']): Column<ConsultaTold>[] => [
  { head: 'App', cell: ({ app }) => <a href={`/consola/apps/${app.appKey}`}>{app.nombre}</a> },
  {
    head: 'Qué',
    cell: ({ evento, topic, estado }) => (estado ? <a href={`/consola/entregas/${evento}`}>{topic}</a> : topic),
  },
  {
    head: 'Entrega',
    cell: ({ estado }) => (estado ? <EstadoBadge estado={estado} /> : 'sin webhook'),
  },
  { head: 'Intentos', number: true, cell: ({ intentos }) => intentos },
  { head: 'Respuesta', cell: ({ status, error }) => error ?? status ?? '—' },
  {
    head: 'Acción',
    cell: ({ app, topic }) =>
      topic === 'consulta.recibida' && seeing.some(({ appKey }) => appKey === app.appKey) ? (
        <Resend consulta={consulta} app={app} label="Reenviar" />
      ) : null,
  },
]

const Resend = ({
  consulta,
  app,
  label,
}: {
  consulta: Consulta
  app: { appKey: string; nombre: string }
  label: string
}) => (
  <form method="post" action={`${consultaHref(consulta)}/reenviar`}>
    <button type="submit" name="App" value={app.appKey} class="secondary small">
      {label}
      <span class="visually-hidden"> a {app.nombre}</span>
    </button>
  </form>
)
