/** What was just done, told once on the page that follows. Only these can be told, whoever wrote the address. */
export const NOTICES = {
  registrada: 'Listo: la agencia está registrada y asociada. Esta es su cuenta.',
  asociada: 'Listo: la app está asociada a su agencia.',
  permisos: 'Se guardó lo que la app puede hacer.',
  terminada: 'La asociación terminó. La app ya no ve nada de su agencia.',
  invitado: 'Le enviamos un correo para que se sume a la agencia.',
  quitado: 'Esa persona ya no trabaja en la agencia, y sus sesiones se cerraron.',
  sumado: 'Listo: ya colabora en la agencia.',
  retirada: 'La invitación se retiró: el enlace que recibió ya no sirve.',
  reemplazo: 'Le enviamos el enlace. Cuando lo acepte, la agencia queda a su cargo.',
  administra: 'Listo: la agencia está a su cargo.',
  clave: 'Su clave cambió, y las sesiones de otros dispositivos se cerraron.',
  estado: 'Se guardó el estado de la consulta.',
  oculto: 'El aviso dejó de mostrarse. La app que lo publicó se entera.',
  mostrado: 'El aviso vuelve a mostrarse.',
  espera: 'Su agencia ya no lo oculta, pero todavía no se muestra: abajo dice por qué.',
  archivado: 'El aviso terminó.',
  sesiones: 'Se cerraron las sesiones de los demás dispositivos.',
} as const

export type NoticeName = keyof typeof NOTICES

export const noticeOf = (name: unknown): string | undefined =>
  typeof name === 'string' && Object.hasOwn(NOTICES, name) ? NOTICES[name as NoticeName] : undefined
