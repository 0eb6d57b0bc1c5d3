# bash suscribir.sh consulta.recibida https://crm.example/notificaciones
. ./rodado.sh

webhook="/v3/appnotificaciones/${1:-consulta.recibida}"
cuerpo=$(jq -n --arg callback "${2:-https://crm.example/notificaciones}" '{Callback: $callback}')

if respuesta=$(rodado POST "$webhook" "$cuerpo"); then
  echo "$respuesta" | jq -r .Secret # se muestra solo ahora: guárdelo donde lo lea su receptor
elif [ "$(echo "$respuesta" | jq .Status)" = 409 ]; then
  # Ya estaba configurado: se reemplaza, y el Secret que no se envía queda como estaba.
  rodado PUT "$webhook" "$cuerpo" | jq -r '"ahora va a \(.Callback)"'
else
  echo "$respuesta"
fi
