# python3 con_token.py
import base64, json, os, time, urllib.request

RODADO_URL = os.environ.get("RODADO_URL", "http://127.0.0.1:3000")
APP_KEY = os.environ.get("APP_KEY", "")
APP_SECRET = os.environ.get("APP_SECRET", "")

token, vence = "", 0.0


def pedir_token():
    """Un token sirve una hora: se guarda, y se pide otro un minuto antes de que venza."""
    global token, vence
    if time.time() < vence:
        return token
    basica = base64.b64encode(f"{APP_KEY}:{APP_SECRET}".encode()).decode()
    pedido = urllib.request.Request(
        RODADO_URL + "/oauth/token",
        data=b"grant_type=client_credentials",
        headers={"Authorization": f"Basic {basica}"},
    )
    with urllib.request.urlopen(pedido, timeout=30) as respuesta:
        dado = json.load(respuesta)
    token, vence = dado["access_token"], time.time() + dado["expires_in"] - 60
    return token


pedido = urllib.request.Request(
    RODADO_URL + "/v3/colores?q=rojo", headers={"Authorization": f"Bearer {pedir_token()}"}
)
with urllib.request.urlopen(pedido, timeout=30) as respuesta:
    print(respuesta.status, respuesta.read().decode())
