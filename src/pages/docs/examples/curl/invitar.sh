# bash invitar.sh ana@automotores.example
. ./rodado.sh

cuerpo=$(jq -n --arg mail "${1:-ana@automotores.example}" '{
  AdminMail: $mail,
  Nombre: "Automotores Ana",
  Region: "Bs As",
  Ciudad: "temperlei",
  Mensaje: "Hola, Ana: con esto sus consultas llegan directo al CRM."
}')

if rechazo=$(rodado POST /v3/agencias "$cuerpo" -D encabezados.txt); then
  # Guarde esta dirección: ahí se lee el estado de la invitación.
  direccion=$(sed -n 's/^location: //Ip' encabezados.txt | tr -d '\r')
  rodado GET "$direccion" | jq -r '"\(.Estado) \(.Invitacion.Estado) hasta \(.Invitacion.Vence)"'
else
  # 409, ya está registrada: su administrador asocia la app en la página de Extensions.Conectar.
  echo "$rechazo" | jq -r 'if .Status == 409 then "ya registrada: \(.Extensions.Conectar)" else . end'
fi
