// go run suscribir.go rodado.go consulta.recibida https://crm.example/notificaciones
package main

import (
	"errors"
	"fmt"
	"log"
	"os"
)

func main() {
	faltan := []string{"consulta.recibida", "https://crm.example/notificaciones"}[min(len(os.Args)-1, 2):]
	argumentos := append(os.Args[1:], faltan...)
	webhook := "/v3/appnotificaciones/" + argumentos[0]
	cuerpo := map[string]string{"Callback": argumentos[1]}

	var datos struct{ Secret, Callback string }
	respuesta, err := Llamar("POST", webhook, cuerpo)
	var problema *Problema
	if errors.As(err, &problema) && problema.Estado == 409 {
		// Ya estaba configurado: se reemplaza, y el Secret que no se envía queda como estaba.
		respuesta, err = Llamar("PUT", webhook, cuerpo)
		if err == nil {
			respuesta.Leer(&datos)
			fmt.Println("ahora va a", datos.Callback)
			return
		}
	}
	if err != nil {
		log.Fatal(err)
	}
	respuesta.Leer(&datos)
	fmt.Println(datos.Secret) // se muestra solo ahora: guárdelo donde lo lea su receptor
}
