# bash publicar.sh ana@automotores.example
. ./rodado.sh

autos='[
  { "ExternalId": "AB-1023", "Marca": "vw", "Modelo": "amarok", "Version": "V6 Extreme", "VersionYear": 2023,
    "Kilometraje": 21000, "Color": "gris", "Precio": { "Moneda": "USD", "Importe": 42000 } },
  { "ExternalId": "AB-1024", "Marca": "fiat", "Modelo": "cronos", "Version": "1.3 drive", "VersionYear": 2022 },
  { "ExternalId": "AB-1025", "Marca": "Ford", "Modelo": "Ka", "Color": "color de viento" }
]'

rodado POST "/v3/publicaciones/${1:-ana@automotores.example}/lote" "$autos" |
  jq -r '._entries[] | "\(.ExternalId) \(.Resultado) \(.Errors // "")"'
