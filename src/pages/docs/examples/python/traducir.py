# python3 traducir.py 'Bs As' temperlei
import sys
from urllib.parse import urlencode
from rodado import Problema, llamar

state, city = sys.argv[1:3] if len(sys.argv) > 2 else ["Bs As", "temperlei"]

try:
    ruta = "/v3/ciudades/bestmatch?" + urlencode({"state": state, "city": city})
    _, encabezados, ciudad = llamar("GET", ruta)
    print(f"{ciudad['Nombre']} ({ciudad['Region']})", encabezados["Match"])
except Problema as problema:
    if problema.estado != 400:
        raise
    # No está claro: se ofrece lo que se parece, y decide una persona.
    for candidato in problema.datos["Extensions"].get("Candidatos", []):
        print("quizás", candidato["title"], candidato["href"])
