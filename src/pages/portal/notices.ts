/** What was just done in the portal. */
export const PORTAL_NOTICES = {
  'firma-falsa-rechazada': 'Su receptor rechazó la firma falsa, como debe.',
  'firma-falsa-enviada': 'Enviamos el aviso con firma falsa. Vea abajo qué respondió su receptor.',
  'clave-revocada': 'La clave se revocó: ya no sirve.',
  'webhook-guardado': 'Se guardó la configuración.',
  'webhook-eliminado': 'El webhook se eliminó. Los eventos se siguen guardando: los ve en Eventos.',
  'webhook-suspendido': 'El webhook está suspendido: no se le envía nada hasta que lo reanude.',
  'webhook-reanudado': 'El webhook recibe otra vez.',
  'secret-quitado': 'Los avisos van sin firma desde ahora.',
  'prueba-enviada': 'Enviamos el aviso de prueba. Esta página muestra qué contestó su receptor.',
  'entrega-reenviada': 'La enviamos otra vez. Esta página muestra qué contesta su receptor.',
  'equipo-invitado': 'Le enviamos un correo para que se sume al equipo.',
  'equipo-retirada': 'La invitación se retiró: el enlace que recibió ya no sirve.',
  'equipo-quitado': 'Esa persona ya no ve la app.',
  'equipo-rol': 'Se guardó su rol.',
  'equipo-sumado': 'Listo: ya está en el equipo.',
} as const
