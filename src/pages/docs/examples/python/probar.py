# python3 probar.py consulta.recibida
import sys, time
from rodado import llamar

topic = sys.argv[1] if len(sys.argv) > 1 else "consulta.recibida"
_, encabezados, _ = llamar("POST", f"/v3/appnotificaciones/{topic}/prueba")
direccion = encabezados["Location"]  # la entrega, en el registro

while True:
    time.sleep(0.5)
    _, _, entrega = llamar("GET", direccion)
    if entrega["Intentos"]:
        break

intento = entrega["Intentos"][0]
print(entrega["Estado"], intento["Status"] or intento["Error"], intento["DuracionMs"], "ms")
