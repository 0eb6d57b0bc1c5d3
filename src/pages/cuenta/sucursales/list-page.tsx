import type { Sucursal } from '../../../resources/sucursales/sucursal.ts'
import { type AgencyContext, AgencyPage } from '../context.tsx'
import { HoursInWords } from './hours.tsx'

const LIST = '/cuenta/sucursales'

/** Where the agency receives people, besides its own address. */
export function branchesPage({ ctx, rows }: { ctx: AgencyContext; rows: Sucursal[] }) {
  const decides = ctx.agencia.rol === 'administrador'
  const add = (
    <a class="button" href={`${LIST}/nueva`}>
      Agregar una sucursal
    </a>
  )
  return (
    <AgencyPage
      ctx={ctx}
      section={LIST}
      title="Sucursales"
      lead={<p>Dónde recibe la agencia a sus clientes, además de su dirección, y a qué hora.</p>}
      acts={decides && rows.length > 0 ? add : undefined}
    >
      {rows.length === 0 ? (
        <section class="empty">
          <h2>Todavía no hay sucursales</h2>
          <p>
            {decides
              ? 'Agregue cada local con su dirección, sus teléfonos y sus horarios: el mercado los muestra a quien busca un auto cerca.'
              : 'Las agrega quien administra la agencia.'}
          </p>
          {decides && add}
        </section>
      ) : (
        <ul class="cards two">
          {rows.map((row) => (
            <li key={row.id} class="card">
              <Card row={row} decides={decides} />
            </li>
          ))}
        </ul>
      )}
    </AgencyPage>
  )
}

function Card({ row, decides }: { row: Sucursal; decides: boolean }) {
  const place = [row.direccion, row.codigoPostal, row.ciudad, row.region].filter(Boolean).join(', ')
  const path = `${LIST}/${row.id}`
  return (
    <>
      <h2>{row.nombre}</h2>
      {place && <p>{place}</p>}
      <p class="facts">
        {row.telefono && <a href={`tel:${row.telefono.replace(/[^\d+]/g, '')}`}>{row.telefono}</a>}
        {row.whatsapp && <span>WhatsApp {row.whatsapp}</span>}
        {row.email && <a href={`mailto:${row.email}`}>{row.email}</a>}
      </p>
      <HoursInWords horarios={row.horarios} />
      {decides && (
        <p class="row">
          <a class="button secondary" href={path}>
            Cambiar<span class="visually-hidden"> {row.nombre}</span>
          </a>
          <a class="danger" href={`${path}/quitar`}>
            Quitar<span class="visually-hidden"> {row.nombre}</span>
          </a>
        </p>
      )}
    </>
  )
}
