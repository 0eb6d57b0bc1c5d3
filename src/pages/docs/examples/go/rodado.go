package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sort"
	"strings"
	"time"
)

var cliente = http.Client{Timeout: 30 * time.Second}

// Respuesta tiene el cuerpo como llegó: Leer lo pone en una variable.
type Respuesta struct {
	Estado      int
	Encabezados http.Header
	Cuerpo      []byte
}

func (r Respuesta) Leer(destino any) {
	if err := json.Unmarshal(r.Cuerpo, destino); err != nil {
		log.Fatal(err)
	}
}

// Problema es un rechazo: Title y Detail dicen qué pasó; Errors, en qué campos.
type Problema struct {
	Respuesta
	Detail     string
	Errors     map[string][]string
	Extensions struct {
		Conectar   string
		Candidatos []struct{ Href, Title string }
	}
}

func (p *Problema) Error() string { return fmt.Sprint(p.Estado, " ", p.Detail, " ", p.Errors) }

// Firma es base64(HMAC-SHA256(AppSecret, texto)); el texto son estas líneas, unidas por \n.
func Firma(metodo, ruta string, encabezados map[string]string, secreto string) string {
	var propios []string
	for nombre, valor := range encabezados {
		if nombre = strings.ToLower(nombre); strings.HasPrefix(nombre, "x-svc-") {
			propios = append(propios, nombre+":"+strings.TrimSpace(valor))
		}
	}
	sort.Strings(propios)
	lineas := append([]string{metodo, encabezados["Digest"], encabezados["Date"]}, propios...)
	mac := hmac.New(sha256.New, []byte(secreto))
	mac.Write([]byte(strings.Join(append(lineas, ruta), "\n")))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// Llamar firma la solicitud y la envía. El cuerpo puede ser nil, y un error puede ser un *Problema.
func Llamar(metodo, ruta string, cuerpo any, mas ...string) (Respuesta, error) {
	azar := make([]byte, 16)
	rand.Read(azar)
	encabezados := map[string]string{
		"X-SVC-Date":  time.Now().UTC().Format(http.TimeFormat),
		"X-SVC-Nonce": fmt.Sprintf("%x", azar), // distingue dos solicitudes iguales en el mismo segundo
	}
	for i := 0; i+1 < len(mas); i += 2 {
		encabezados[mas[i]] = mas[i+1]
	}
	var envio []byte
	if cuerpo != nil {
		envio, _ = json.Marshal(cuerpo)
		resumen := sha256.Sum256(envio)
		encabezados["Content-Type"] = "application/json"
		encabezados["Digest"] = "sha-256=" + base64.StdEncoding.EncodeToString(resumen[:])
	}
	base := os.Getenv("RODADO_URL")
	if base == "" {
		base = "http://127.0.0.1:3000"
	}
	pedido, err := http.NewRequest(metodo, base+ruta, bytes.NewReader(envio))
	if err != nil {
		return Respuesta{}, err
	}
	firma := Firma(metodo, pedido.URL.RequestURI(), encabezados, os.Getenv("APP_SECRET"))
	encabezados["Authorization"] = "SVC-HMAC " + os.Getenv("APP_KEY") + ":" + firma
	for nombre, valor := range encabezados {
		pedido.Header.Set(nombre, valor)
	}

	recibida, err := cliente.Do(pedido)
	if err != nil {
		return Respuesta{}, err
	}
	defer recibida.Body.Close()
	texto, err := io.ReadAll(recibida.Body)
	respuesta := Respuesta{recibida.StatusCode, recibida.Header, texto}
	if err == nil && respuesta.Estado >= 400 {
		problema := &Problema{Respuesta: respuesta}
		json.Unmarshal(texto, problema)
		return respuesta, problema
	}
	return respuesta, err
}
