import base64, hashlib, hmac, time


def es_notificacion_nuestra(encabezados, secret):
    """Verifica la firma de id, momento y topic, no del cuerpo; también con el Secret anterior."""
    clave = base64.b64decode(secret[6:]) if secret.startswith("whsec_") else secret.encode()
    momento = encabezados.get("Notification-Timestamp", "")
    texto = "\n".join([encabezados.get("Notification-Hook-ID", ""), momento, encabezados.get("Notification-Topic", "")])
    esperada = base64.b64encode(hmac.new(clave, texto.encode(), hashlib.sha256).digest())
    es_reciente = momento.isdigit() and abs(time.time() - int(momento)) <= 300
    coincide = any(
        hmac.compare_digest(encabezados.get(nombre, "").encode(), esperada)
        for nombre in ("Notification-Signature", "Notification-Signature-Anterior")
    )
    return es_reciente and coincide
