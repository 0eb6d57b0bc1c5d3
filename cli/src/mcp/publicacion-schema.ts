// Written by `npm run contract` from contract/openapi.json; changes belong there.

/** A listing as it is published, as JSON Schema. */
export const PUBLICACION_SCHEMA: Record<string, unknown> = {
  "type": "object",
  "required": [
    "ExternalId",
    "Marca",
    "Modelo"
  ],
  "properties": {
    "ExternalId": {
      "type": "string",
      "minLength": 2,
      "maxLength": 255,
      "description": "El identificador propio de la publicación: no distingue mayúsculas, y solo tiene caracteres válidos en una dirección"
    },
    "Marca": {
      "type": "string",
      "maxLength": 200,
      "minLength": 1,
      "description": "Como en marcas/bestmatch"
    },
    "Modelo": {
      "type": "string",
      "maxLength": 100,
      "minLength": 1,
      "description": "Como en modelos/bestmatch; uno que no está queda como texto"
    },
    "Version": {
      "anyOf": [
        {
          "type": "string",
          "maxLength": 200,
          "description": "Una que no está en el catálogo queda como texto"
        },
        {
          "type": "null"
        }
      ]
    },
    "Activa": {
      "type": "boolean",
      "description": "Indica si se muestra; true si falta. false la suspende y libera su lugar del paquete"
    },
    "RefStock": {
      "anyOf": [
        {
          "type": "string",
          "maxLength": 25,
          "description": "Número de stock de la agencia"
        },
        {
          "type": "null"
        }
      ]
    },
    "Exposicion": {
      "anyOf": [
        {
          "enum": [
            "Alta",
            "Media",
            "Baja"
          ],
          "description": "La que se pide; si no queda, se asigna la mejor de las inferiores. null: la mejor que permita el paquete",
          "type": "string"
        },
        {
          "type": "null"
        }
      ]
    },
    "OperadorResponsable": {
      "anyOf": [
        {
          "type": "string",
          "maxLength": 254,
          "description": "Quien recibe las consultas; trabaja en la agencia. Si falta al publicar, quien la administra; al editar, no cambia"
        },
        {
          "type": "null"
        }
      ]
    },
    "VersionYear": {
      "anyOf": [
        {
          "type": "integer",
          "minimum": 1908,
          "maximum": 2050
        },
        {
          "type": "null"
        }
      ]
    },
    "Kilometraje": {
      "anyOf": [
        {
          "type": "integer",
          "minimum": 0,
          "maximum": 999000,
          "description": "0 solo si es nuevo"
        },
        {
          "type": "null"
        }
      ]
    },
    "Color": {
      "anyOf": [
        {
          "type": "string",
          "maxLength": 50,
          "description": "Como en colores/bestmatch"
        },
        {
          "type": "null"
        }
      ]
    },
    "Carroceria": {
      "anyOf": [
        {
          "type": "string",
          "maxLength": 200,
          "description": "Como en carrocerias/bestmatch"
        },
        {
          "type": "null"
        }
      ]
    },
    "Propulsion": {
      "anyOf": [
        {
          "type": "string",
          "maxLength": 50,
          "description": "Como fuelType en versiones/bestmatch"
        },
        {
          "type": "null"
        }
      ]
    },
    "Transmision": {
      "anyOf": [
        {
          "type": "string",
          "maxLength": 50,
          "description": "Como transmissionType en versiones/bestmatch"
        },
        {
          "type": "null"
        }
      ]
    },
    "Precio": {
      "anyOf": [
        {
          "type": "object",
          "required": [
            "Moneda",
            "Importe"
          ],
          "properties": {
            "Moneda": {
              "type": "string"
            },
            "Importe": {
              "type": "number",
              "minimum": 0,
              "maximum": 999999999999
            }
          },
          "additionalProperties": false
        },
        {
          "type": "null"
        }
      ]
    },
    "Descripcion": {
      "anyOf": [
        {
          "type": "string",
          "maxLength": 2000
        },
        {
          "type": "null"
        }
      ]
    },
    "Region": {
      "anyOf": [
        {
          "type": "string",
          "maxLength": 200,
          "description": "Como en regiones/bestmatch; si falta, la de la agencia"
        },
        {
          "type": "null"
        }
      ]
    },
    "Ciudad": {
      "anyOf": [
        {
          "type": "string",
          "maxLength": 200,
          "description": "Como en ciudades/bestmatch; necesita Region"
        },
        {
          "type": "null"
        }
      ]
    },
    "Fotos": {
      "anyOf": [
        {
          "type": "array",
          "items": {
            "type": "string",
            "maxLength": 1024
          },
          "maxItems": 20,
          "description": "Direcciones https, la principal primero"
        },
        {
          "type": "null"
        }
      ]
    },
    "DatosTecnicosCustom": {
      "anyOf": [
        {
          "type": "array",
          "items": {
            "type": "object",
            "required": [
              "Nombre",
              "Valor"
            ],
            "properties": {
              "Nombre": {
                "type": "string",
                "maxLength": 50,
                "minLength": 1
              },
              "Valor": {
                "type": "string",
                "maxLength": 200,
                "minLength": 1
              }
            },
            "additionalProperties": false
          },
          "maxItems": 50
        },
        {
          "type": "null"
        }
      ]
    }
  },
  "additionalProperties": false
}
