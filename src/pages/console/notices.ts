/** What was just done in the console. */
export const CONSOLE_NOTICES = {
  'personal-invitada': 'Le enviamos un correo para que se sume al personal.',
  'personal-retirada': 'La invitación se retiró: el enlace que recibió ya no sirve.',
  'personal-quitada': 'Esa persona ya no es del personal, y sus sesiones se cerraron.',
  'personal-reiniciada': 'Su segundo paso se reinició. Lo configura otra vez la próxima vez que entre.',
} as const
