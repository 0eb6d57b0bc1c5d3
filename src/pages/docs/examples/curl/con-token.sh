# bash con-token.sh
RODADO_URL=${RODADO_URL:-http://127.0.0.1:3000}

# Un token sirve una hora: pídalo una vez y guárdelo.
token=$(curl -sS --fail-with-body "$RODADO_URL/oauth/token" \
  -u "$APP_KEY:$APP_SECRET" \
  -d grant_type=client_credentials | jq -r .access_token)

curl -sS "$RODADO_URL/v3/colores?q=rojo" -H "Authorization: Bearer $token" -w '\n%{http_code}\n'
