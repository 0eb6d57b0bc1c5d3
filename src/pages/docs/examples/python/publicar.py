# python3 publicar.py ana@automotores.example
import json, sys
from rodado import llamar

admin_mail = sys.argv[1] if len(sys.argv) > 1 else "ana@automotores.example"
autos = [
    {
        "ExternalId": "AB-1023", "Marca": "vw", "Modelo": "amarok", "Version": "V6 Extreme", "VersionYear": 2023,
        "Kilometraje": 21000, "Color": "gris", "Precio": {"Moneda": "USD", "Importe": 42000},
    },
    {"ExternalId": "AB-1024", "Marca": "fiat", "Modelo": "cronos", "Version": "1.3 drive", "VersionYear": 2022},
    {"ExternalId": "AB-1025", "Marca": "Ford", "Modelo": "Ka", "Color": "color de viento"},
]

_, _, lote = llamar("POST", f"/v3/publicaciones/{admin_mail}/lote", autos)
for fila in lote["_entries"]:
    print(fila["ExternalId"], fila["Resultado"], json.dumps(fila.get("Errors", ""), ensure_ascii=False))
