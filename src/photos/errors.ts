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
