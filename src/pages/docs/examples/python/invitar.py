# python3 invitar.py ana@automotores.example
import sys
from rodado import Problema, llamar

admin_mail = sys.argv[1] if len(sys.argv) > 1 else "ana@automotores.example"

try:
    _, encabezados, _ = llamar("POST", "/v3/agencias", {
        "AdminMail": admin_mail,
        "Nombre": "Automotores Ana",
        "Region": "Bs As",
        "Ciudad": "temperlei",
        "Mensaje": "Hola, Ana: con esto sus consultas llegan directo al CRM.",
    })
    # Guarde esta dirección: ahí se lee el estado de la invitación.
    direccion = encabezados["Location"]
    _, _, agencia = llamar("GET", direccion)
    print(agencia["Estado"], agencia["Invitacion"]["Estado"], "hasta", agencia["Invitacion"]["Vence"])
except Problema as problema:
    if problema.estado != 409:
        raise
    # Ya está registrada: su administrador asocia la app en esta página.
    print("ya registrada:", problema.datos["Extensions"]["Conectar"])
