import { autoOf, type Consulta } from '../../../resources/consultas/consulta.ts'

export const CONSULTAS = '/consola/consultas'

export const consultaHref = ({ sid }: { sid: string }): string => `${CONSULTAS}/${sid}`

/** What it is about, in a line. */
export function carName(row: Pick<Consulta, 'auto'>): string {
  const { Marca, Modelo, Version, VersionYear } = autoOf(row)
  return [Marca, Modelo, Version, VersionYear].filter(Boolean).join(' ')
}
