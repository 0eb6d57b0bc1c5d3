# bash ensayar.sh (con las claves de API de una app en modo de prueba)
. ./rodado.sh

mail=$(rodado GET /v3/agencias | jq -r '._entries[0].AdminMail')

# Dos personas inventadas preguntan por sus autos; las notificaciones salen como las de verdad.
cuerpo=$(jq -n --arg mail "$mail" '{AdminMail: $mail, Cantidad: 2}')
generadas=$(rodado POST /v3/prueba/consultas "$cuerpo")
echo "$generadas" | jq -r '._entries[]? | "llegó \(.title)"'

rodado GET "$(echo "$generadas" | jq -r '._entries[0].href')" |
  jq -r '"\(.Interesado.Nombre) pregunta por \(.Auto.Marca) \(.Auto.Modelo)"'
