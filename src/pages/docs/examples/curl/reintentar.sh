# bash reintentar.sh
. ./rodado.sh

# Repite lo que más tarde puede salir bien. Cada intento llama de nuevo: fecha, nonce y firma son otros.
con_reintentos() {
  local numero estado segundos
  for numero in 1 2 3 4 5; do
    estado=$(rodado "$@" '' -o respuesta.json -D encabezados.txt -w '%{http_code}')
    case $estado in
      000 | 429 | 5??) ;; # 000: falló la red
      *) break ;;
    esac
    segundos=$(sed -n 's/^retry-after: //Ip' encabezados.txt 2> /dev/null | tr -d '\r')
    segundos=${segundos:-$((RANDOM % (1 << numero) + 1))} # 2, 4, 8 … y al azar, para no volver todos juntos
    [ "$numero" = 5 ] || { echo "se reintenta en $segundos s" && sleep "$segundos"; }
  done
  echo "$estado"
}

con_reintentos GET '/v3/marcas?q=fiat'
