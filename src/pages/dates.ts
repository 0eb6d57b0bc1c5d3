/** A day as people write it: «14 de marzo de 2025». */
export const dayInWords = (moment: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('es-AR', { timeZone, day: 'numeric', month: 'long', year: 'numeric' }).format(moment)
