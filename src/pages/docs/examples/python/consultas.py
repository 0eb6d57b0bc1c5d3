# python3 consultas.py ana@automotores.example
import sys
from rodado import llamar

admin_mail = sys.argv[1] if len(sys.argv) > 1 else "ana@automotores.example"
lista = f"/v3/consultas/{admin_mail}"

ruta = lista
while ruta:
    _, encabezados, datos = llamar("GET", ruta)
    if ruta == lista:
        etag = encabezados["ETag"]
        print(datos["Total"], "en 90 días")
    for consulta in datos["_entries"]:
        auto = consulta["Auto"]
        print(consulta["Momento"], auto["Marca"], auto["Modelo"], consulta["Interesado"]["Nombre"])
    ruta = datos["_links"].get("next", {}).get("href")  # en la última página no está

# Más tarde: si nada cambió, la respuesta es 304, sin cuerpo.
estado, _, _ = llamar("GET", lista, mas={"If-None-Match": etag})
print("nada nuevo" if estado == 304 else "hay novedades")
