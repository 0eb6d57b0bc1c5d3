// go run traducir.go rodado.go 'Bs As' temperlei
package main

import (
	"errors"
	"fmt"
	"log"
	"net/url"
	"os"
)

func main() {
	lugar := append(os.Args[1:], []string{"Bs As", "temperlei"}[min(len(os.Args)-1, 2):]...)
	ruta := "/v3/ciudades/bestmatch?" + url.Values{"state": {lugar[0]}, "city": {lugar[1]}}.Encode()
	respuesta, err := Llamar("GET", ruta, nil)

	var problema *Problema
	if errors.As(err, &problema) && problema.Estado == 400 {
		// No está claro: se ofrece lo que se parece, y decide una persona.
		for _, candidato := range problema.Extensions.Candidatos {
			fmt.Println("quizás", candidato.Title, candidato.Href)
		}
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	var ciudad struct{ Nombre, Region string }
	respuesta.Leer(&ciudad)
	fmt.Printf("%s (%s) %s\n", ciudad.Nombre, ciudad.Region, respuesta.Encabezados.Get("Match"))
}
