# SECRET=whsec_… python3 verificar.py
import base64, hashlib, hmac, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SECRET = os.environ.get("SECRET") or exit("Falta SECRET: sin él, cualquiera puede firmar.")
VENTANA = 300  # segundos: lo más viejo puede ser una copia que alguien repite

# Lo que sigue a whsec_ es base64; un Secret propio se usa tal cual.
clave = base64.b64decode(SECRET[6:]) if SECRET.startswith("whsec_") else SECRET.encode()


def es_nuestro(id, momento, firmas, cuerpo):
    if not momento.isdigit() or abs(time.time() - int(momento)) > VENTANA:
        return False
    resumen = hmac.new(clave, f"{id}.{momento}.".encode() + cuerpo, hashlib.sha256).digest()
    esperada = "v1," + base64.b64encode(resumen).decode()
    # Mientras se cambia el Secret hay dos firmas, separadas por un espacio: basta con una.
    return any(hmac.compare_digest(firma.encode(), esperada.encode()) for firma in firmas.split(" "))


class Receptor(BaseHTTPRequestHandler):
    def do_POST(self):
        cuerpo = self.rfile.read(int(self.headers.get("Content-Length", 0)))  # se firman los bytes
        id = self.headers.get("webhook-id", "")
        momento = self.headers.get("webhook-timestamp", "")
        if not es_nuestro(id, momento, self.headers.get("webhook-signature", ""), cuerpo):
            return self.contestar(401)
        try:
            with open(f"notificaciones/{id}.json", "xb") as archivo:  # guardar primero, contestar después
                archivo.write(cuerpo)
            print("nuevo", id, flush=True)
        except FileExistsError:
            print("repetido", id, flush=True)  # puede llegar dos veces, siempre con el mismo id
        self.contestar(204)

    def contestar(self, estado):
        self.send_response(estado)
        self.end_headers()


Path("notificaciones").mkdir(exist_ok=True)
print("esperando", flush=True)
ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 4000))), Receptor).serve_forever()
