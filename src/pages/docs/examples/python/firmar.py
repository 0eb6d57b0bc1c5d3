# python3 firmar.py GET '/v3/colores?q=rojo'
import json, sys
from rodado import llamar

metodo, ruta, *cuerpo = sys.argv[1:] or ["GET", "/v3/colores?q=rojo"]
estado, _, datos = llamar(metodo, ruta, json.loads(cuerpo[0]) if cuerpo else None)
print(estado, json.dumps(datos, indent=2, ensure_ascii=False))
