// go run probar.go rodado.go consulta.recibida
package main

import (
	"fmt"
	"log"
	"os"
	"time"
)

func main() {
	topic := append(os.Args[1:], "consulta.recibida")[0]
	respuesta, err := Llamar("POST", "/v3/appnotificaciones/"+topic+"/prueba", nil)
	if err != nil {
		log.Fatal(err)
	}
	direccion := respuesta.Encabezados.Get("Location") // la entrega, en el registro

	var entrega struct {
		Estado   string
		Intentos []struct {
			DuracionMs int
			Status     *int
			Error      *string
		}
	}
	for len(entrega.Intentos) == 0 {
		time.Sleep(500 * time.Millisecond)
		if respuesta, err = Llamar("GET", direccion, nil); err != nil {
			log.Fatal(err)
		}
		respuesta.Leer(&entrega)
	}
	intento := entrega.Intentos[0]
	if intento.Status == nil {
		log.Fatal(entrega.Estado, " ", *intento.Error)
	}
	fmt.Println(entrega.Estado, *intento.Status, intento.DuracionMs, "ms")
}
