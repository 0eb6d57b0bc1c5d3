# bash eventos.sh
. ./rodado.sh

ruta=$(cat cursor.txt 2> /dev/null || echo /v3/eventos)
while :; do
  datos=$(rodado GET "$ruta") || exit 1
  echo "$datos" | jq -r '._entries[] | "\(.Topic) \(.Id)"' # aquí va su trabajo
  ruta=$(echo "$datos" | jq -r ._links.next.href)
  echo "$ruta" > cursor.txt # solo cuando el trabajo está hecho
  [ "$(echo "$datos" | jq '._entries | length')" -gt 0 ] || break
done
