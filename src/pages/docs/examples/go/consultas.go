// go run consultas.go rodado.go ana@automotores.example
package main

import (
	"fmt"
	"log"
	"os"
)

type pagina struct {
	Total   int
	Links   struct{ Next struct{ Href string } } `json:"_links"`
	Entries []struct {
		Momento    string
		Auto       struct{ Marca, Modelo string }
		Interesado struct{ Nombre string }
	} `json:"_entries"`
}

func main() {
	lista := "/v3/consultas/" + append(os.Args[1:], "ana@automotores.example")[0]
	var etag string
	for ruta := lista; ruta != ""; {
		respuesta, err := Llamar("GET", ruta, nil)
		if err != nil {
			log.Fatal(err)
		}
		var datos pagina
		respuesta.Leer(&datos)
		if ruta == lista {
			etag = respuesta.Encabezados.Get("ETag")
			fmt.Println(datos.Total, "en 90 días")
		}
		for _, consulta := range datos.Entries {
			fmt.Println(consulta.Momento, consulta.Auto.Marca, consulta.Auto.Modelo, consulta.Interesado.Nombre)
		}
		ruta = datos.Links.Next.Href // en la última página no está
	}

	// Más tarde: si nada cambió, la respuesta es 304, sin cuerpo.
	respuesta, err := Llamar("GET", lista, nil, "If-None-Match", etag)
	if err != nil {
		log.Fatal(err)
	}
	if respuesta.Estado == 304 {
		fmt.Println("nada nuevo")
	} else {
		fmt.Println("hay novedades")
	}
}
