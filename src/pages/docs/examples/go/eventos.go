// go run eventos.go rodado.go
package main

import (
	"fmt"
	"log"
	"os"
)

func main() {
	ruta := "/v3/eventos"
	if guardada, err := os.ReadFile("cursor.txt"); err == nil {
		ruta = string(guardada)
	}
	for {
		respuesta, err := Llamar("GET", ruta, nil)
		if err != nil {
			log.Fatal(err)
		}
		var datos struct {
			Links   struct{ Next struct{ Href string } } `json:"_links"`
			Entries []struct{ Id, Topic string }         `json:"_entries"`
		}
		respuesta.Leer(&datos)
		for _, evento := range datos.Entries {
			fmt.Println(evento.Topic, evento.Id) // aquí va su trabajo
		}
		ruta = datos.Links.Next.Href
		if err := os.WriteFile("cursor.txt", []byte(ruta), 0o600); err != nil { // solo cuando el trabajo está hecho
			log.Fatal(err)
		}
		if len(datos.Entries) == 0 {
			return
		}
	}
}
