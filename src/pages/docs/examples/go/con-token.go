// go run con-token.go
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

var base = "http://127.0.0.1:3000"
var token string
var vence time.Time

// Un token sirve una hora: se guarda, y se pide otro un minuto antes de que venza.
func pedirToken() (string, error) {
	if time.Now().Before(vence) {
		return token, nil
	}
	pedido, _ := http.NewRequest("POST", base+"/oauth/token", strings.NewReader("grant_type=client_credentials"))
	pedido.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	pedido.SetBasicAuth(os.Getenv("APP_KEY"), os.Getenv("APP_SECRET"))
	respuesta, err := http.DefaultClient.Do(pedido)
	if err != nil {
		return "", err
	}
	defer respuesta.Body.Close()
	if respuesta.StatusCode != 200 {
		texto, _ := io.ReadAll(respuesta.Body)
		return "", fmt.Errorf("%d %s", respuesta.StatusCode, texto)
	}
	var dado struct {
		Token    string `json:"access_token"`
		Segundos int    `json:"expires_in"`
	}
	if err := json.NewDecoder(respuesta.Body).Decode(&dado); err != nil {
		return "", err
	}
	token, vence = dado.Token, time.Now().Add(time.Duration(dado.Segundos-60)*time.Second)
	return token, nil
}

func main() {
	if url := os.Getenv("RODADO_URL"); url != "" {
		base = url
	}
	token, err := pedirToken()
	if err != nil {
		log.Fatal(err)
	}
	pedido, _ := http.NewRequest("GET", base+"/v3/colores?q=rojo", nil)
	pedido.Header.Set("Authorization", "Bearer "+token)
	respuesta, err := http.DefaultClient.Do(pedido)
	if err != nil {
		log.Fatal(err)
	}
	defer respuesta.Body.Close()
	texto, _ := io.ReadAll(respuesta.Body)
	fmt.Println(respuesta.StatusCode, string(texto))
}
