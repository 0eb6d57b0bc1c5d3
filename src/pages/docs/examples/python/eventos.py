# python3 eventos.py
from pathlib import Path
from rodado import llamar

cursor = Path("cursor.txt")
ruta = cursor.read_text() if cursor.exists() else "/v3/eventos"
while True:
    _, _, datos = llamar("GET", ruta)
    for evento in datos["_entries"]:
        print(evento["Topic"], evento["Id"])  # aquí va su trabajo
    ruta = datos["_links"]["next"]["href"]
    cursor.write_text(ruta)  # solo cuando el trabajo está hecho
    if not datos["_entries"]:
        break
