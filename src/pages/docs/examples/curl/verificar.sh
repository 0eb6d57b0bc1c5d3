# Para mirar una notificación a mano: sus encabezados en variables y su cuerpo, sin cambios, en cuerpo.json.
# SECRET=whsec_… ID=01J… MOMENTO=1741089600 FIRMAS='v1,…' bash verificar.sh

: "${SECRET:?sin él, cualquiera puede firmar}"

# Lo que sigue a whsec_ es base64; un Secret propio se usa tal cual.
case $SECRET in
  whsec_*) clave=$(printf %s "${SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n') ;;
  *) clave=$(printf %s "$SECRET" | od -An -v -tx1 | tr -d ' \n') ;;
esac

esperada=v1,$({ printf '%s.%s.' "$ID" "$MOMENTO" && cat cuerpo.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$clave" -binary | base64)
antiguedad=$(($(date +%s) - MOMENTO))

# Mientras se cambia el Secret hay dos firmas, separadas por un espacio: basta con una.
case " $FIRMAS " in
  *" $esperada "*) echo "la firma es válida, de hace $antiguedad s" ;;
  *) echo 'no lo firmó ese Secret' && exit 1 ;;
esac
# Lo más viejo puede ser una copia que alguien repite.
[ "${antiguedad#-}" -le 300 ] || { echo 'pasaron más de 300 s' && exit 1; }
