/** Why there is no copy of a photo. The code is stored; its text is `aviso.photo.error.{code}`. */
export const PHOTO_ERRORS = [
  'direccion',
  'conexion',
  'tiempo',
  'redirecciones',
  'pesada',
  'vacia',
  'tipo',
  'animada',
  'chica',
  'grande',
  'danada',
  'lenta',
  'guardar',
] as const

export type PhotoError = (typeof PHOTO_ERRORS)[number] | `respuesta-${number}`

/** Errors of our own, which say nothing about the photo at its original address. */
const OURS: readonly string[] = ['lenta', 'guardar']

/** True if the photo, or the server that has it, is at fault: it cannot be shown from there either. */
export const isPartnersError = (error: string): boolean =>
  /^respuesta-\d+$/.test(error) || ((PHOTO_ERRORS as readonly string[]).includes(error) && !OURS.includes(error))
