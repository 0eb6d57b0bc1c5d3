// go run invitar.go rodado.go ana@automotores.example
package main

import (
	"errors"
	"fmt"
	"log"
	"os"
)

func main() {
	adminMail := append(os.Args[1:], "ana@automotores.example")[0]
	respuesta, err := Llamar("POST", "/v3/agencias", map[string]string{
		"AdminMail": adminMail,
		"Nombre":    "Automotores Ana",
		"Region":    "Bs As",
		"Ciudad":    "temperlei",
		"Mensaje":   "Hola, Ana: con esto sus consultas llegan directo al CRM.",
	})
	var problema *Problema
	if errors.As(err, &problema) && problema.Estado == 409 {
		// Ya está registrada: su administrador asocia la app en esta página.
		fmt.Println("ya registrada:", problema.Extensions.Conectar)
		return
	}
	if err != nil {
		log.Fatal(err)
	}

	// Guarde esta dirección: ahí se lee el estado de la invitación.
	direccion := respuesta.Encabezados.Get("Location")
	respuesta, err = Llamar("GET", direccion, nil)
	if err != nil {
		log.Fatal(err)
	}
	var agencia struct {
		Estado     string
		Invitacion struct{ Estado, Vence string }
	}
	respuesta.Leer(&agencia)
	fmt.Println(agencia.Estado, agencia.Invitacion.Estado, "hasta", agencia.Invitacion.Vence)
}
