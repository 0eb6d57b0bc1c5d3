# bash firmar.sh GET '/v3/colores?q=rojo'
. ./rodado.sh

rodado "${1:-GET}" "${2:-/v3/colores?q=rojo}" "${3-}" -w '\n%{http_code}\n'
