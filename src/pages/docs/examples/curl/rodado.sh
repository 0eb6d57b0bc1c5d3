RODADO_URL=${RODADO_URL:-http://127.0.0.1:3000}

# rodado MÉTODO RUTA [CUERPO] [opciones de curl…]: firma la solicitud y la envía.
rodado() {
  local metodo=$1 ruta=$2 cuerpo=${3-} digest='' fecha nonce firma
  shift $(($# < 3 ? $# : 3))
  fecha=$(LC_ALL=C date -u '+%a, %d %b %Y %T GMT')
  nonce=$(openssl rand -hex 16) # distingue dos solicitudes iguales en el mismo segundo
  if [ -n "$cuerpo" ]; then
    digest="sha-256=$(printf %s "$cuerpo" | openssl dgst -sha256 -binary | base64)"
    set -- "$@" -H "Digest: $digest" -H 'Content-Type: application/json' --data-raw "$cuerpo"
  fi

  # método · Digest · Date (vacía: la hora va en X-SVC-Date) · encabezados propios · ruta
  firma=$(printf '%s\n%s\n\nx-svc-date:%s\nx-svc-nonce:%s\n%s' "$metodo" "$digest" "$fecha" "$nonce" "$ruta" |
    openssl dgst -sha256 -hmac "$APP_SECRET" -binary | base64)

  curl -sS --fail-with-body --max-time 30 -X "$metodo" "$RODADO_URL$ruta" \
    -H "X-SVC-Date: $fecha" -H "X-SVC-Nonce: $nonce" \
    -H "Authorization: SVC-HMAC $APP_KEY:$firma" "$@"
}
