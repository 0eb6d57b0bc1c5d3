# bash consultas.sh ana@automotores.example
. ./rodado.sh

lista="/v3/consultas/${1:-ana@automotores.example}"

ruta=$lista
while [ -n "$ruta" ]; do
  datos=$(rodado GET "$ruta" '' -D encabezados.txt) || exit 1
  if [ "$ruta" = "$lista" ]; then
    etag=$(sed -n 's/^etag: //Ip' encabezados.txt | tr -d '\r')
    echo "$(echo "$datos" | jq .Total) en 90 días"
  fi
  echo "$datos" | jq -r '._entries[] | "\(.Momento) \(.Auto.Marca) \(.Auto.Modelo) \(.Interesado.Nombre)"'
  ruta=$(echo "$datos" | jq -r '._links.next.href // ""') # en la última página no está
done

# Más tarde: si nada cambió, la respuesta es 304, sin cuerpo.
estado=$(rodado GET "$lista" '' -H "If-None-Match: $etag" -o /dev/null -w '%{http_code}')
[ "$estado" = 304 ] && echo 'nada nuevo' || echo 'hay novedades'
