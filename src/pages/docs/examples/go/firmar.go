// go run firmar.go rodado.go GET '/v3/colores?q=rojo'
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
)

func main() {
	argumentos := append(os.Args[1:], []string{"GET", "/v3/colores?q=rojo"}[min(len(os.Args)-1, 2):]...)
	var cuerpo any
	if len(argumentos) > 2 {
		cuerpo = json.RawMessage(argumentos[2])
	}
	respuesta, err := Llamar(argumentos[0], argumentos[1], cuerpo)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(respuesta.Estado, string(respuesta.Cuerpo))
}
