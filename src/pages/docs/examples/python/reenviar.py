# python3 reenviar.py consulta.recibida 2026-03-01
import sys
from rodado import llamar

topic, desde = sys.argv[1:3] if len(sys.argv) > 2 else ["consulta.recibida", "2026-03-01"]
ruta = f"/v3/appnotificaciones/{topic}/entregas/reenviar?estado=fallida,descartada&desde={desde}"

_, _, cuenta = llamar("POST", ruta + "&simular=true")
print(cuenta["Cantidad"], "sin entregar")

_, _, datos = llamar("POST", ruta)
print("Reenviadas, con los mismos Id:", datos["Cantidad"])
