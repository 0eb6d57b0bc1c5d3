// go run reintentar.go rodado.go
package main

import (
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand"
	"strconv"
	"time"
)

// Repite lo que más tarde puede salir bien. Cada intento llama de nuevo: fecha, nonce y firma son otros.
func conReintentos(intento func() (Respuesta, error), veces int) (Respuesta, error) {
	for numero := 1; ; numero++ {
		respuesta, err := intento()
		if err == nil || numero == veces {
			return respuesta, err
		}
		segundos := rand.Float64() * math.Pow(2, float64(numero)) // 2, 4, 8 … y al azar, para no volver todos juntos
		var rechazo *Problema
		if errors.As(err, &rechazo) { // si no es un rechazo, falló la red
			if rechazo.Estado != 429 && rechazo.Estado < 500 {
				return respuesta, err
			}
			if pedidos, _ := strconv.ParseFloat(rechazo.Encabezados.Get("Retry-After"), 64); pedidos > 0 {
				segundos = pedidos
			}
		}
		fmt.Printf("se reintenta en %.1f s\n", segundos)
		time.Sleep(time.Duration(segundos * float64(time.Second)))
	}
}

func main() {
	respuesta, err := conReintentos(func() (Respuesta, error) { return Llamar("GET", "/v3/marcas?q=fiat", nil) }, 5)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(respuesta.Estado)
}
