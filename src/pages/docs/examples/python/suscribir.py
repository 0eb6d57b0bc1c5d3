# python3 suscribir.py consulta.recibida https://crm.example/notificaciones
import sys
from rodado import Problema, llamar

topic, callback = sys.argv[1:3] if len(sys.argv) > 2 else ["consulta.recibida", "https://crm.example/notificaciones"]
webhook = f"/v3/appnotificaciones/{topic}"

try:
    _, _, datos = llamar("POST", webhook, {"Callback": callback})
    print(datos["Secret"])  # se muestra solo ahora: guárdelo donde lo lea su receptor
except Problema as problema:
    if problema.estado != 409:
        raise
    # Ya estaba configurado: se reemplaza, y el Secret que no se envía queda como estaba.
    _, _, datos = llamar("PUT", webhook, {"Callback": callback})
    print("ahora va a", datos["Callback"])
