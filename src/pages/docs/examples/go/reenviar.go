// go run reenviar.go rodado.go consulta.recibida 2026-03-01
package main

import (
	"fmt"
	"log"
	"os"
)

func main() {
	argumentos := append(os.Args[1:], []string{"consulta.recibida", "2026-03-01"}[min(len(os.Args)-1, 2):]...)
	ruta := "/v3/appnotificaciones/" + argumentos[0] + "/entregas/reenviar?estado=fallida,descartada&desde=" + argumentos[1]

	var datos struct{ Cantidad int }
	respuesta, err := Llamar("POST", ruta+"&simular=true", nil)
	if err != nil {
		log.Fatal(err)
	}
	respuesta.Leer(&datos)
	fmt.Println(datos.Cantidad, "sin entregar")

	respuesta, err = Llamar("POST", ruta, nil)
	if err != nil {
		log.Fatal(err)
	}
	respuesta.Leer(&datos)
	fmt.Println("Reenviadas, con los mismos Id:", datos.Cantidad)
}
