// go run ensayar.go rodado.go (con las claves de API de una app en modo de prueba)
package main

import (
	"fmt"
	"log"
)

func main() {
	respuesta, err := Llamar("GET", "/v3/agencias", nil)
	if err != nil {
		log.Fatal(err)
	}
	var agencias struct {
		Entries []struct{ AdminMail string } `json:"_entries"`
	}
	respuesta.Leer(&agencias)

	// Dos personas inventadas preguntan por sus autos; las notificaciones salen como las de verdad.
	cuerpo := map[string]any{"AdminMail": agencias.Entries[0].AdminMail, "Cantidad": 2}
	respuesta, err = Llamar("POST", "/v3/prueba/consultas", cuerpo)
	if err != nil {
		log.Fatal(err)
	}
	var generadas struct {
		Entries []struct{ Href, Title string } `json:"_entries"`
	}
	respuesta.Leer(&generadas)
	for _, cada := range generadas.Entries {
		fmt.Println("llegó", cada.Title)
	}

	respuesta, err = Llamar("GET", generadas.Entries[0].Href, nil)
	if err != nil {
		log.Fatal(err)
	}
	var consulta struct {
		Auto       struct{ Marca, Modelo string }
		Interesado struct{ Nombre string }
	}
	respuesta.Leer(&consulta)
	fmt.Println(consulta.Interesado.Nombre, "pregunta por", consulta.Auto.Marca, consulta.Auto.Modelo)
}
