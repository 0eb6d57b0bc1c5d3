/** Why there is no copy of a photo: a code, which is stored, and its text. */
export const PHOTO_ERRORS = {
  direccion: 'No encontramos una dirección pública: el nombre no existe, no responde o es una dirección privada.',
  conexion: 'No pudimos conectarnos con el servidor de la foto.',
  tiempo: 'El servidor de la foto tardó demasiado.',
  redirecciones: 'La dirección redirige demasiadas veces o a una dirección que no es válida.',
  pesada: 'Pesa más de 15 MB.',
  vacia: 'El archivo está vacío.',
  tipo: 'No es una imagen JPEG, PNG ni WebP.',
  animada: 'Es una imagen animada.',
  chica: 'Es demasiado chica: cada lado debe tener 64 píxeles o más.',
  grande: 'Es demasiado grande: hasta 12.000 píxeles por lado y 50 millones en total.',
  danada: 'La imagen está dañada o incompleta.',
  lenta: 'Tardamos demasiado en procesarla.',
  guardar: 'No pudimos guardarla. Lo intentamos de nuevo.',
} as const

export type PhotoError = keyof typeof PHOTO_ERRORS | `respuesta-${number}`

/** The text of a stored code; other errors are texts already. */
export function explainPhotoError(code: string): string {
  const [, status] = /^respuesta-(\d+)$/.exec(code) ?? []
  if (status) return `El servidor de la foto respondió ${status}.`
  return PHOTO_ERRORS[code as keyof typeof PHOTO_ERRORS] ?? code
}
