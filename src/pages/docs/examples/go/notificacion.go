package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// EsNotificacionNuestra comprueba la firma de id, momento y topic, no la del cuerpo. Acepta también la del Secret anterior
// mientras se cambia.
func EsNotificacionNuestra(encabezados http.Header, secret string) bool {
	clave := []byte(secret)
	if resto, esBase64 := strings.CutPrefix(secret, "whsec_"); esBase64 {
		clave, _ = base64.StdEncoding.DecodeString(resto)
	}
	momento := encabezados.Get("Notification-Timestamp")
	segundos, err := strconv.ParseInt(momento, 10, 64)
	if diferencia := time.Now().Unix() - segundos; err != nil || diferencia > 300 || diferencia < -300 {
		return false
	}
	texto := []string{encabezados.Get("Notification-Hook-ID"), momento, encabezados.Get("Notification-Topic")}
	mac := hmac.New(sha256.New, clave)
	mac.Write([]byte(strings.Join(texto, "\n")))
	esperada := []byte(base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, nombre := range []string{"Notification-Signature", "Notification-Signature-Anterior"} {
		if hmac.Equal([]byte(encabezados.Get(nombre)), esperada) {
			return true
		}
	}
	return false
}
