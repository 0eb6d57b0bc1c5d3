/** The body of an inquiry about a listing. */
export const consultaBody = (aviso: number, person: Record<string, string>): string =>
  JSON.stringify({
    Aviso: aviso,
    OrigenLead: 'form',
    Interesado: {
      Interes: 'compra',
      Nombre: 'Lucía',
      Apellido: 'Ferreyra',
      Provincia: 'Santa Fe',
      Ciudad: 'Rosario',
      ...person,
    },
  })
