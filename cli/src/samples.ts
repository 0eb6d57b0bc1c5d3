// Written by `npm run contract` from contract/openapi.json; changes belong there.

/** A sample payload of every topic. */
export const SAMPLES: Record<string, Record<string, unknown>> = {
  "agencia.registrada": {
    "Id": "01JNG3Y4Z5A6B7C8D9E0F1G2H3",
    "Topic": "agencia.registrada",
    "Version": 1,
    "Momento": "2025-03-04T05:21:41.477-03:00",
    "Agencia": {
      "href": "/v3/agencias/ejemplo@agencia.example",
      "title": "Agencia de ejemplo (ejemplo@agencia.example)"
    },
    "AdminMail": "ejemplo@agencia.example"
  },
  "agencia.modificada": {
    "Id": "01JNG3Y4Z5A6B7C8D9E0F1G2H3",
    "Topic": "agencia.modificada",
    "Version": 1,
    "Momento": "2025-03-04T05:21:41.477-03:00",
    "Agencia": {
      "href": "/v3/agencias/ejemplo@agencia.example",
      "title": "Agencia de ejemplo (ejemplo@agencia.example)"
    },
    "AdminMail": "ejemplo@agencia.example"
  },
  "agencia.desasociada": {
    "Id": "01JNG3Y4Z5A6B7C8D9E0F1G2H3",
    "Topic": "agencia.desasociada",
    "Version": 1,
    "Momento": "2025-03-04T05:21:41.477-03:00",
    "Agencia": {
      "href": "/v3/agencias/ejemplo@agencia.example",
      "title": "Agencia de ejemplo (ejemplo@agencia.example)"
    },
    "AdminMail": "ejemplo@agencia.example",
    "Por": "agencia"
  },
  "consulta.recibida": {
    "Id": "01JNG3Y4Z5A6B7C8D9E0F1G2H3",
    "Topic": "consulta.recibida",
    "Version": 1,
    "Momento": "2025-03-04T05:21:41.477-03:00",
    "Agencia": {
      "href": "/v3/agencias/ejemplo@agencia.example",
      "title": "Agencia de ejemplo (ejemplo@agencia.example)"
    },
    "AdminMail": "ejemplo@agencia.example",
    "Consulta": {
      "Momento": "2025-03-04T05:21:41.477-03:00",
      "OrigenLead": "form",
      "TipoAnuncio": "publicacion",
      "Auto": {
        "ExternalId": "EJEMPLO-1",
        "RefStock": null,
        "Marca": "Fiat",
        "Modelo": "Cronos",
        "Version": "1.3 Drive",
        "VersionYear": 2022,
        "Kilometraje": 38000,
        "Color": "Blanco",
        "BodyType": "Sedán",
        "Estado": "usado",
        "Precio": {
          "Moneda": "ARS",
          "Importe": 18500000
        },
        "Anticipo": null,
        "Cuota": null
      },
      "Interesado": {
        "Interes": "compra",
        "Nombre": "Persona",
        "Apellido": "De Ejemplo",
        "Email": "persona@correo.example",
        "Telefono": null,
        "DocIdentidad": null,
        "Provincia": null,
        "Ciudad": null,
        "Comentario": "Esta consulta es una prueba: nadie la escribió.",
        "InfoOperacion": null,
        "TelefonoE164": null
      },
      "OperadorResponsable": "ejemplo@agencia.example",
      "Estado": "nueva",
      "_links": {
        "self": {
          "href": "/v3/consultas/ejemplo@agencia.example/01JNG3Y4Z5A6B7C8D9E0F1G2H3"
        },
        "estado": {
          "href": "/v3/consultas/ejemplo@agencia.example/01JNG3Y4Z5A6B7C8D9E0F1G2H3/estado",
          "method": "PUT"
        },
        "reenviar": {
          "href": "/v3/consultas/ejemplo@agencia.example/01JNG3Y4Z5A6B7C8D9E0F1G2H3/resendwebhook",
          "method": "POST"
        },
        "consultas": {
          "href": "/v3/consultas/ejemplo@agencia.example"
        },
        "agencia": {
          "href": "/v3/agencias/ejemplo@agencia.example"
        }
      }
    }
  },
  "consulta.modificada": {
    "Id": "01JNG3Y4Z5A6B7C8D9E0F1G2H3",
    "Topic": "consulta.modificada",
    "Version": 1,
    "Momento": "2025-03-04T05:21:41.477-03:00",
    "Agencia": {
      "href": "/v3/agencias/ejemplo@agencia.example",
      "title": "Agencia de ejemplo (ejemplo@agencia.example)"
    },
    "AdminMail": "ejemplo@agencia.example",
    "Consulta": {
      "Momento": "2025-03-04T05:21:41.477-03:00",
      "OrigenLead": "form",
      "TipoAnuncio": "publicacion",
      "Auto": {
        "ExternalId": "EJEMPLO-1",
        "RefStock": null,
        "Marca": "Fiat",
        "Modelo": "Cronos",
        "Version": "1.3 Drive",
        "VersionYear": 2022,
        "Kilometraje": 38000,
        "Color": "Blanco",
        "BodyType": "Sedán",
        "Estado": "usado",
        "Precio": {
          "Moneda": "ARS",
          "Importe": 18500000
        },
        "Anticipo": null,
        "Cuota": null
      },
      "Interesado": {
        "Interes": "compra",
        "Nombre": "Persona",
        "Apellido": "De Ejemplo",
        "Email": "persona@correo.example",
        "Telefono": null,
        "DocIdentidad": null,
        "Provincia": null,
        "Ciudad": null,
        "Comentario": "Esta consulta es una prueba: nadie la escribió.",
        "InfoOperacion": null,
        "TelefonoE164": null
      },
      "OperadorResponsable": "ejemplo@agencia.example",
      "Estado": "contactada",
      "_links": {
        "self": {
          "href": "/v3/consultas/ejemplo@agencia.example/01JNG3Y4Z5A6B7C8D9E0F1G2H3"
        },
        "estado": {
          "href": "/v3/consultas/ejemplo@agencia.example/01JNG3Y4Z5A6B7C8D9E0F1G2H3/estado",
          "method": "PUT"
        },
        "reenviar": {
          "href": "/v3/consultas/ejemplo@agencia.example/01JNG3Y4Z5A6B7C8D9E0F1G2H3/resendwebhook",
          "method": "POST"
        },
        "consultas": {
          "href": "/v3/consultas/ejemplo@agencia.example"
        },
        "agencia": {
          "href": "/v3/agencias/ejemplo@agencia.example"
        }
      }
    }
  },
  "consulta.suprimida": {
    "Id": "01JNG3Y4Z5A6B7C8D9E0F1G2H3",
    "Topic": "consulta.suprimida",
    "Version": 1,
    "Momento": "2025-03-04T05:21:41.477-03:00",
    "Agencia": {
      "href": "/v3/agencias/ejemplo@agencia.example",
      "title": "Agencia de ejemplo (ejemplo@agencia.example)"
    },
    "AdminMail": "ejemplo@agencia.example",
    "Consulta": {
      "href": "/v3/consultas/ejemplo@agencia.example/01JNG3Y4Z5A6B7C8D9E0F1G2H3"
    }
  },
  "publicacion.activada": {
    "Id": "01JNG3Y4Z5A6B7C8D9E0F1G2H3",
    "Topic": "publicacion.activada",
    "Version": 1,
    "Momento": "2025-03-04T05:21:41.477-03:00",
    "Agencia": {
      "href": "/v3/agencias/ejemplo@agencia.example",
      "title": "Agencia de ejemplo (ejemplo@agencia.example)"
    },
    "AdminMail": "ejemplo@agencia.example",
    "Publicacion": {
      "href": "/v3/publicaciones/ejemplo@agencia.example/EJEMPLO-1",
      "title": "Fiat Cronos (EJEMPLO-1)"
    },
    "ExternalId": "EJEMPLO-1",
    "Por": "mercado"
  },
  "publicacion.suspendida": {
    "Id": "01JNG3Y4Z5A6B7C8D9E0F1G2H3",
    "Topic": "publicacion.suspendida",
    "Version": 1,
    "Momento": "2025-03-04T05:21:41.477-03:00",
    "Agencia": {
      "href": "/v3/agencias/ejemplo@agencia.example",
      "title": "Agencia de ejemplo (ejemplo@agencia.example)"
    },
    "AdminMail": "ejemplo@agencia.example",
    "Publicacion": {
      "href": "/v3/publicaciones/ejemplo@agencia.example/EJEMPLO-1",
      "title": "Fiat Cronos (EJEMPLO-1)"
    },
    "ExternalId": "EJEMPLO-1",
    "Por": "mercado"
  },
  "publicacion.archivada": {
    "Id": "01JNG3Y4Z5A6B7C8D9E0F1G2H3",
    "Topic": "publicacion.archivada",
    "Version": 1,
    "Momento": "2025-03-04T05:21:41.477-03:00",
    "Agencia": {
      "href": "/v3/agencias/ejemplo@agencia.example",
      "title": "Agencia de ejemplo (ejemplo@agencia.example)"
    },
    "AdminMail": "ejemplo@agencia.example",
    "Publicacion": {
      "href": "/v3/publicaciones/ejemplo@agencia.example/EJEMPLO-1",
      "title": "Fiat Cronos (EJEMPLO-1)"
    },
    "ExternalId": "EJEMPLO-1",
    "Por": "mercado"
  },
  "webhook.prueba": {
    "Id": "01JNG3Y4Z5A6B7C8D9E0F1G2H3",
    "Topic": "webhook.prueba",
    "Version": 1,
    "Momento": "2025-03-04T05:21:41.477-03:00",
    "Agencia": {
      "href": "/v3/agencias/ejemplo@agencia.example",
      "title": "Agencia de ejemplo (ejemplo@agencia.example)"
    },
    "AdminMail": "ejemplo@agencia.example"
  }
}
