# bash probar.sh consulta.recibida
. ./rodado.sh

prueba=$(rodado POST "/v3/appnotificaciones/${1:-consulta.recibida}/prueba")
direccion=$(echo "$prueba" | jq -r ._links.entrega.href) # la entrega, en el registro

intento=null
while [ "$intento" = null ]; do
  sleep 0.5
  entrega=$(rodado GET "$direccion")
  intento=$(echo "$entrega" | jq -c '.Intentos[0]')
done
echo "$entrega" | jq -r '"\(.Estado) \(.Intentos[0] | .Status // .Error) \(.Intentos[0].DuracionMs) ms"'
