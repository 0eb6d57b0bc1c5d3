// SECRET=whsec_… go run verificar.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const ventana = 300 // segundos: lo más viejo puede ser una copia que alguien repite

func esNuestro(id, momento, firmas string, cuerpo, clave []byte) bool {
	segundos, err := strconv.ParseInt(momento, 10, 64)
	if diferencia := time.Now().Unix() - segundos; err != nil || diferencia > ventana || diferencia < -ventana {
		return false
	}
	mac := hmac.New(sha256.New, clave)
	mac.Write([]byte(id + "." + momento + "."))
	mac.Write(cuerpo)
	esperada := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	// Mientras se cambia el Secret hay dos firmas, separadas por un espacio: basta con una.
	for _, firma := range strings.Split(firmas, " ") {
		if hmac.Equal([]byte(firma), esperada) {
			return true
		}
	}
	return false
}

func main() {
	secret, puerto := os.Getenv("SECRET"), os.Getenv("PORT")
	if secret == "" {
		log.Fatal("Falta SECRET: sin él, cualquiera puede firmar.")
	}
	if puerto == "" {
		puerto = "4000"
	}
	// Lo que sigue a whsec_ es base64; un Secret propio se usa tal cual.
	clave := []byte(secret)
	if resto, esBase64 := strings.CutPrefix(secret, "whsec_"); esBase64 {
		clave, _ = base64.StdEncoding.DecodeString(resto)
	}
	os.MkdirAll("notificaciones", 0o700)

	http.HandleFunc("/", func(respuesta http.ResponseWriter, pedido *http.Request) {
		cuerpo, _ := io.ReadAll(pedido.Body) // se firman los bytes, no lo que significan
		id, momento := pedido.Header.Get("webhook-id"), pedido.Header.Get("webhook-timestamp")
		if !esNuestro(id, momento, pedido.Header.Get("webhook-signature"), cuerpo, clave) {
			respuesta.WriteHeader(401)
			return
		}
		// Guardar primero, contestar después.
		archivo, err := os.OpenFile("notificaciones/"+id+".json", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			fmt.Println("repetido", id) // la misma notificación puede llegar dos veces, siempre con el mismo id
		} else if err != nil {
			respuesta.WriteHeader(500)
			return
		} else {
			archivo.Write(cuerpo)
			archivo.Close()
			fmt.Println("nuevo", id)
		}
		respuesta.WriteHeader(204)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+puerto, nil))
}
