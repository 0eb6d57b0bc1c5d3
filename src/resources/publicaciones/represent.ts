import { toTimestamp } from '../../http/dates.ts'
import { type Links, link, segment, withQuery } from '../../http/links.ts'
import { PER_PAGE, pageLinks } from '../../http/paging.ts'
import type { Page } from './list.ts'
import { type Publicacion, SUSPENSIONES } from './publicacion.ts'
import type { EstadisticasQuery, PublicacionesQuery } from './schema.ts'
import type { DayOfListing } from './statistics.ts'

const LIST = '/v3/publicaciones'

export const publicacionesHref = (adminMail: string): string => `${LIST}/${segment(adminMail)}`

export const publicacionHref = (adminMail: string, externalId: string): string =>
  `${publicacionesHref(adminMail)}/${segment(externalId)}`

type Named = Pick<Publicacion, 'externalId' | 'marca' | 'modelo'>

/** Ref title: `Marca Modelo (ExternalId)`. */
export const publicacionRef = ({ externalId, marca, modelo }: Named, adminMail: string) => ({
  href: publicacionHref(adminMail, externalId),
  title: `${marca} ${modelo} (${externalId})`,
})

/** A listing as its app sees it. `Activa` says whether it is shown, so that what was read can be sent back. */
export function publicacionEntry(row: Publicacion, adminMail: string, timeZone: string) {
  return {
    Aviso: row.id,
    ExternalId: row.externalId,
    RefStock: row.refStock,
    Estado: row.estado,
    Activa: row.estado === 'Activa',
    Suspension: row.estado === 'Suspendida' ? suspensionOf(row) : null,
    Exposicion: row.exposicionPedida,
    ExposicionOtorgada: row.estado === 'Activa' ? row.exposicion : null,
    OperadorResponsable: row.operador,
    ...carOf(row),
    Descripcion: row.descripcion,
    Region: row.region,
    Ciudad: row.ciudad,
    Fotos: row.fotos,
    DatosTecnicosCustom: row.datosTecnicos,
    Creada: toTimestamp(row.creada, timeZone),
    Modificada: toTimestamp(row.modificada, timeZone),
    _links: Object.assign(ownLinks(row, adminMail), catalogueLinks(row)),
  }
}

/** The car itself, as everyone sees it. */
export const carOf = (row: Publicacion) => ({
  Marca: row.marca,
  Modelo: row.modelo,
  Version: row.version,
  VersionYear: row.versionYear,
  Kilometraje: row.kilometraje,
  Color: row.color,
  Carroceria: row.carroceria,
  Propulsion: row.propulsion,
  Transmision: row.transmision,
  Precio:
    row.precioMoneda === null || row.precioImporte === null
      ? null
      : { Moneda: row.precioMoneda, Importe: row.precioImporte },
})

/** The weightiest of the reasons. */
export const suspensionOf = ({ suspensiones, motivo }: Publicacion) => ({
  Por: SUSPENSIONES.find((reason) => suspensiones.includes(reason)),
  Motivo: motivo,
})

function ownLinks(row: Publicacion, adminMail: string): Links {
  const self = publicacionHref(adminMail, row.externalId)
  const consultas = withQuery(`/v3/consultas/${segment(adminMail)}`, { externalid: row.externalId })
  return {
    self: link(self),
    ...(row.estado !== 'Archivada' && { editar: link(self, 'PUT'), eliminar: link(self, 'DELETE') }),
    estadisticas: link(`${self}/estadisticas`),
    consultas: link(consultas),
    aviso: link(`/aviso/${row.id}`),
    publicaciones: link(publicacionesHref(adminMail)),
    agencia: link(`/v3/agencias/${segment(adminMail)}`),
  }
}

/** The catalogue's records that the values were matched to. */
export function catalogueLinks(row: Publicacion): Links {
  const records: Record<string, [string, number | null]> = {
    marca: ['marcas', row.marcaId],
    modelo: ['modelos', row.modeloId],
    version: ['versiones', row.versionId],
    color: ['colores', row.colorId],
    carroceria: ['carrocerias', row.carroceriaId],
    region: ['regiones', row.regionId],
    ciudad: ['ciudades', row.ciudadId],
  }
  const known = Object.entries(records).filter(([, [, id]]) => id !== null)
  return Object.fromEntries(known.map(([rel, [catalogue, id]]) => [rel, link(`/v3/${catalogue}/${id}`)]))
}

/** How often a listing was looked at and asked about. */
export function estadisticasEntry(row: Publicacion, adminMail: string, query: EstadisticasQuery, days: DayOfListing[]) {
  const self = publicacionHref(adminMail, row.externalId)
  const sum = (of: 'visitas' | 'consultas') => days.reduce((so, day) => so + day[of], 0)
  return {
    Desde: days[0]?.dia ?? null,
    Hasta: days.at(-1)?.dia ?? null,
    Visitas: sum('visitas'),
    Consultas: sum('consultas'),
    Dias: days.map(({ dia, visitas, consultas }) => ({ Dia: dia, Visitas: visitas, Consultas: consultas })),
    _links: {
      self: link(withQuery(`${self}/estadisticas`, query)),
      buscar: link(`${self}/estadisticas?desde={desde}&hasta={hasta}`),
      publicacion: link(self),
    },
  }
}

/** A page of the list, in the form that was asked for. */
export function publicacionesPage(
  adminMail: string,
  query: PublicacionesQuery,
  { total, rows }: Page,
  form: 'entry' | 'ref',
  timeZone: string,
) {
  const list = publicacionesHref(adminMail)
  return {
    Pagina: query.pagina ?? 1,
    Total: total,
    PerPagina: PER_PAGE,
    _links: {
      ...pageLinks({ list, query, total }),
      buscar: link(`${list}?operador={operador}&estado={estado}&q={q}&pagina={pagina}`),
      publicacion: link(`${list}/{externalid}`),
      publicar: link(list, 'POST'),
      lote: link(`${list}/lote?modo={modo}&simular={simular}&confirmar={confirmar}`, 'POST'),
      agencia: link(`/v3/agencias/${segment(adminMail)}`),
    },
    _entries: rows.map((row) =>
      form === 'ref' ? publicacionRef(row, adminMail) : publicacionEntry(row, adminMail, timeZone),
    ),
  }
}
