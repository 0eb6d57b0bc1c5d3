# bash traducir.sh 'Bs As' temperlei
. ./rodado.sh

consulta=$(jq -rn --arg state "${1:-Bs As}" --arg city "${2:-temperlei}" '"state=\($state | @uri)&city=\($city | @uri)"')

if respuesta=$(rodado GET "/v3/ciudades/bestmatch?$consulta" '' -D encabezados.txt); then
  echo "$respuesta" | jq -r '"\(.Nombre) (\(.Region))"'
  grep -i '^match:' encabezados.txt # por qué se eligió
else
  # No está claro: se ofrece lo que se parece, y decide una persona.
  echo "$respuesta" | jq -r '.Extensions.Candidatos[]? | "quizás \(.title) \(.href)"'
fi
