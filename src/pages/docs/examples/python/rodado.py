import base64, hashlib, hmac, json, os, urllib.error, urllib.request, uuid
from email.utils import formatdate

RODADO_URL = os.environ.get("RODADO_URL", "http://127.0.0.1:3000")
APP_KEY = os.environ.get("APP_KEY", "")
APP_SECRET = os.environ.get("APP_SECRET", "")


def firma(metodo, ruta, encabezados, secreto):
    """base64(HMAC-SHA256(AppSecret, texto)); el texto son estas líneas, unidas por \\n."""
    propios = sorted((n.lower(), v.strip()) for n, v in encabezados.items() if n.lower().startswith("x-svc-"))
    lineas = [metodo, encabezados.get("Digest", ""), encabezados.get("Date", "")]
    lineas += [f"{nombre}:{valor}" for nombre, valor in propios]
    lineas += [ruta]
    resumen = hmac.new(secreto.encode(), "\n".join(lineas).encode(), hashlib.sha256).digest()
    return base64.b64encode(resumen).decode()


class Problema(Exception):
    """Un rechazo: Title y Detail dicen qué pasó; Errors, en qué campos."""

    def __init__(self, estado, encabezados, datos):
        super().__init__(estado, datos.get("Detail"), datos.get("Errors"))
        self.estado, self.encabezados, self.datos = estado, encabezados, datos


def llamar(metodo, ruta, cuerpo=None, mas=None):
    """Firma la solicitud y la envía. Devuelve estado, encabezados y datos."""
    bytes_ = None if cuerpo is None else json.dumps(cuerpo).encode()
    encabezados = {
        "X-SVC-Date": formatdate(usegmt=True),
        "X-SVC-Nonce": str(uuid.uuid4()),  # distingue dos solicitudes iguales en el mismo segundo
        **(mas or {}),
    }
    if bytes_ is not None:
        encabezados["Content-Type"] = "application/json"
        encabezados["Digest"] = "sha-256=" + base64.b64encode(hashlib.sha256(bytes_).digest()).decode()
    encabezados["Authorization"] = f"SVC-HMAC {APP_KEY}:{firma(metodo, ruta, encabezados, APP_SECRET)}"

    pedido = urllib.request.Request(RODADO_URL + ruta, data=bytes_, headers=encabezados, method=metodo)
    try:
        with urllib.request.urlopen(pedido, timeout=30) as respuesta:
            texto = respuesta.read()
            return respuesta.status, respuesta.headers, json.loads(texto) if texto else None
    except urllib.error.HTTPError as error:
        if error.code == 304:
            return 304, error.headers, None
        es_json = "json" in error.headers.get("Content-Type", "")
        raise Problema(error.code, error.headers, json.loads(error.read()) if es_json else {}) from None
