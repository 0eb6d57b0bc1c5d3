# python3 reintentar.py
import random, time, urllib.error
from rodado import Problema, llamar


def con_reintentos(intento, veces=5):
    """Repite lo que más tarde puede salir bien. Cada intento llama de nuevo: fecha, nonce y firma son otros."""
    for numero in range(1, veces + 1):
        pedidos = None
        try:
            return intento()
        except Problema as problema:
            es_pasajero = problema.estado == 429 or problema.estado >= 500
            if not es_pasajero or numero == veces:
                raise
            pedidos = problema.encabezados["Retry-After"]
        except (urllib.error.URLError, OSError):  # falló la red
            if numero == veces:
                raise
        segundos = float(pedidos or random.random() * 2**numero)  # 2, 4, 8 … y al azar, para no volver todos juntos
        print("se reintenta en", round(segundos, 1), "s")
        time.sleep(segundos)


estado, _, _ = con_reintentos(lambda: llamar("GET", "/v3/marcas?q=fiat"))
print(estado)
