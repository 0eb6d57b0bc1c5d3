/** An inquiry about a listing as a site hands it in; what the person leaves beside a name is the asker's. */
export const inquiryBody = (aviso: number, person: { Apellido: string; Telefono: string } & Record<string, string>) =>
  JSON.stringify({
    Aviso: aviso,
    OrigenLead: 'form',
    Interesado: { Interes: 'compra', Nombre: 'Lucía', ...person },
  })
