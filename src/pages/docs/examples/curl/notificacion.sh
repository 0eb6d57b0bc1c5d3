# SECRET=whsec_… ID=01J… MOMENTO=1741089600 TOPIC=consulta.recibida FIRMA=… ANTERIOR=… bash notificacion.sh
# Verifica la firma de id, momento y topic, no del cuerpo.
case $SECRET in
  whsec_*) clave=$(printf %s "${SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n') ;;
  *) clave=$(printf %s "$SECRET" | od -An -v -tx1 | tr -d ' \n') ;;
esac

esperada=$(printf '%s\n%s\n%s' "$ID" "$MOMENTO" "$TOPIC" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$clave" -binary | base64)

# Vale también Notification-Signature-Anterior, mientras se cambia el Secret.
case " $FIRMA ${ANTERIOR-} " in
  *" $esperada "*) echo 'la firma es válida' ;;
  *) echo 'no lo firmó ese Secret' && exit 1 ;;
esac
