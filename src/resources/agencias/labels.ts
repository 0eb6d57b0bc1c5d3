/** What each datum of an agency is called by the people whose it is; partners know it by the names of the interface. */
const WORDS: Record<string, string> = {
  Nombre: 'Nombre',
  RazonSocial: 'Razón social',
  IdFiscal: 'Identificación fiscal',
  Telefono: 'Teléfono',
  WhatsApp: 'WhatsApp',
  SitioWeb: 'Sitio web',
  Region: 'Provincia o región',
  Ciudad: 'Ciudad',
  Direccion: 'Dirección',
  CodigoPostal: 'Código postal',
  AdminMail: 'Correo del administrador',
  Operadores: 'Colaboradores',
  Sucursal: 'Sucursal',
}

/** The name of a changed datum (`Change.campo`) for letters and pages. */
export function formatCampo(campo: string, country: string): string {
  if (campo === 'IdFiscal' && country === 'AR') return 'CUIT'
  const [, person] = /^Operador (.+)$/.exec(campo) ?? []
  return person ? `Cómo se presenta ${person}` : (WORDS[campo] ?? campo)
}
