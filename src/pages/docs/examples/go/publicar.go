// go run publicar.go rodado.go ana@automotores.example
package main

import (
	"fmt"
	"log"
	"os"
)

func main() {
	adminMail := append(os.Args[1:], "ana@automotores.example")[0]
	autos := []map[string]any{
		{
			"ExternalId": "AB-1023", "Marca": "vw", "Modelo": "amarok", "Version": "V6 Extreme", "VersionYear": 2023,
			"Kilometraje": 21000, "Color": "gris", "Precio": map[string]any{"Moneda": "USD", "Importe": 42000},
		},
		{"ExternalId": "AB-1024", "Marca": "fiat", "Modelo": "cronos", "Version": "1.3 drive", "VersionYear": 2022},
		{"ExternalId": "AB-1025", "Marca": "Ford", "Modelo": "Ka", "Color": "color de viento"},
	}
	respuesta, err := Llamar("POST", "/v3/publicaciones/"+adminMail+"/lote", autos)
	if err != nil {
		log.Fatal(err)
	}
	var lote struct {
		Entries []struct {
			ExternalId, Resultado string
			Errors                map[string][]string
		} `json:"_entries"`
	}
	respuesta.Leer(&lote)
	for _, fila := range lote.Entries {
		fmt.Println(fila.ExternalId, fila.Resultado, fila.Errors)
	}
}
