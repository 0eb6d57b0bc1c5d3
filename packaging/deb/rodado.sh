#!/bin/sh
# Runs a command with the settings of the service; variables that are set already have precedence.
settings=/etc/rodado/rodado.env
if [ -e "$settings" ] && ! [ -r "$settings" ]; then
  echo "rodado: $settings has the settings and secrets of the server, and this user cannot read it. Use sudo." >&2
  exit 1
fi
if [ -r "$settings" ]; then
  # Node reads this variable before it reads the file.
  authorities=$(sed -n 's/^NODE_EXTRA_CA_CERTS=//p' "$settings" | tail -n 1 | tr -d "\"'")
  if [ -n "$authorities" ]; then
    export NODE_EXTRA_CA_CERTS="${NODE_EXTRA_CA_CERTS:-$authorities}"
  fi
  exec /usr/bin/node --env-file="$settings" /usr/lib/rodado/bin/rodado.js "$@"
fi
exec /usr/bin/node /usr/lib/rodado/bin/rodado.js "$@"
