# python3 ensayar.py (con las claves de API de una app en modo de prueba)
from rodado import llamar

_, _, agencias = llamar("GET", "/v3/agencias")
admin_mail = agencias["_entries"][0]["AdminMail"]

# Dos personas inventadas preguntan por sus autos; las notificaciones salen como las de verdad.
_, _, generadas = llamar("POST", "/v3/prueba/consultas", {"AdminMail": admin_mail, "Cantidad": 2})
for consulta in generadas["_entries"]:
    print("llegó", consulta["title"])

_, _, consulta = llamar("GET", generadas["_entries"][0]["href"])
print(consulta["Interesado"]["Nombre"], "pregunta por", consulta["Auto"]["Marca"], consulta["Auto"]["Modelo"])
