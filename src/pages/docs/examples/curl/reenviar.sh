# bash reenviar.sh consulta.recibida 2026-03-01
. ./rodado.sh

topic=${1:-consulta.recibida} desde=${2:-2026-03-01}
ruta="/v3/appnotificaciones/$topic/entregas/reenviar?estado=fallida,descartada&desde=$desde"

rodado POST "$ruta&simular=true" | jq -r '"\(.Cantidad) sin entregar"'
rodado POST "$ruta" | jq -r '"Reenviadas, con los mismos Id: \(.Cantidad)"'
