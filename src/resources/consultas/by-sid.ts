import sql from 'sql-template-tag'
import type { Db } from '../../store/db.ts'
import type { Consulta } from './consulta.ts'

/** An inquiry with the agency it went to, as those who wrote it need it again: reception and its letters. */
export interface Kept {
  consulta: Consulta
  suprimida: boolean
  agencia: {
    adminMail: string
    nombre: string
    telefono: string | null
    direccion: string | null
    ciudad: string | null
  }
}

/** The inquiry with that sid, whoever sees it: for the house itself, never for an app. */
export async function findBySid(db: Db, sid: string): Promise<Kept | undefined> {
  const [found] = await db.query<Consulta & Kept['agencia'] & { suprimida: boolean }>(sql`
    select c.sid, c.modo, c.agencia_id as "agenciaId", c.fuente, c.tipo_anuncio as "tipoAnuncio",
      c.origen_lead as "origenLead", c.auto, c.interesado, c.operador, c.estado, c.repite,
      c.suprimida_at is not null as suprimida, g.admin_mail as "adminMail", g.nombre, g.telefono, g.direccion, g.ciudad
    from consultas c join agencias g on g.id = c.agencia_id where c.sid = ${sid}`)
  if (!found) return undefined
  const { suprimida, adminMail, nombre, telefono, direccion, ciudad, ...consulta } = found
  return { consulta, suprimida, agencia: { adminMail, nombre, telefono, direccion, ciudad } }
}
