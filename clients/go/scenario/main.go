// The scenario of ../../scenario.md.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	rodado "github.com/rodado/client-go"
	api "github.com/rodado/client-go/generated"
)

type problemRequest struct {
	Method, Path string
	Headers      map[string]string
	Body         *string
}

var scenario struct {
	AdminMail, Secret, Website, Busy string
	Makes                            []string
	Problems                         []problemRequest
	Malformed                        []struct{ Name, Value string }
	Hostile                          []struct {
		URL     string
		Seconds float64
	}
}

var ctx = context.Background()

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func newClient(secret string, options ...rodado.Option) *rodado.Client {
	return newClientAt(os.Getenv("RODADO_URL"), secret, options...)
}

func newClientAt(url, secret string, options ...rodado.Option) *rodado.Client {
	return must(rodado.New(url, os.Getenv("RODADO_APP_KEY"), secret, options...))
}

func idOf(href string) string {
	return href[strings.LastIndex(href, "/")+1:]
}

func agencies(client *rodado.Client) []string {
	mails := []string{}
	for agencia, err := range rodado.Entries[api.Agencia](client.ListarAgencias(ctx, nil)) {
		mails = append(mails, must(agencia, err).AdminMail)
	}
	return mails
}

func findMakes(client *rodado.Client) []*int {
	values, found := api.MarcasValores{}, []*int{}
	for _, make := range scenario.Makes {
		values.Valores = append(values.Valores, api.MarcaCriterios{Make: make})
	}
	for _, entry := range must(client.BuscarMarcasWithResponse(ctx, values)).JSON200.Entries {
		if entry.Match == nil {
			found = append(found, nil)
			continue
		}
		id := must(strconv.Atoi(idOf(entry.Match.Href)))
		found = append(found, &id)
	}
	return found
}

func publishAndChange(client *rodado.Client) float64 {
	year, km, text := 2022, 38000, "Único dueño"
	car := api.PublicacionCreate{ExternalId: "AB-1", Marca: "Fiat", Modelo: "Cronos", VersionYear: &year, Kilometraje: &km}
	car.Precio, car.Descripcion = &api.Money{Moneda: "ARS", Importe: 18500000.5}, &text
	must(client.PublicarWithResponse(ctx, scenario.AdminMail, car))
	read := must(client.VerPublicacionWithResponse(ctx, scenario.AdminMail, "AB-1"))
	etag := read.HTTPResponse.Header.Get("ETag")
	change := api.PublicacionEdit{Precio: &api.Money{Moneda: "ARS", Importe: 17999999.99}, Descripcion: read.JSON200.Descripcion}
	params := &api.EditarPublicacionParams{IfMatch: &etag}
	return must(client.EditarPublicacionWithResponse(ctx, scenario.AdminMail, "AB-1", params, change)).JSON200.Precio.Importe
}

func receiveWebhook(client *rodado.Client) any {
	type delivery struct {
		header http.Header
		body   []byte
	}
	deliveries := make(chan delivery, 1)
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	defer listener.Close()
	go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := must(io.ReadAll(r.Body))
		w.WriteHeader(http.StatusNoContent)
		deliveries <- delivery{r.Header, body}
	}))
	topic, callback := "consulta.modificada", fmt.Sprintf("http://%s/", listener.Addr())
	webhook := must(client.ConfigurarWebhookWithResponse(ctx, topic, api.AppWebhookUpsert{Callback: callback, Secret: &scenario.Secret}))
	sent := must(client.ProbarWebhookWithResponse(ctx, topic, nil)).JSON202.Id
	got := <-deliveries
	_, tampered := rodado.VerifyWebhook(got.header, append(slices.Clone(got.body), ' '), scenario.Secret)
	several := got.header.Clone()
	several.Set("webhook-signature", "v1,bm8= "+several.Get("webhook-signature"))
	malformed := true
	for _, each := range scenario.Malformed {
		altered := got.header.Clone()
		altered.Set(each.Name, each.Value)
		_, err := rodado.VerifyWebhook(altered, got.body, scenario.Secret)
		malformed = malformed && err != nil
	}
	event := must(rodado.VerifyWebhook(got.header, got.body, scenario.Secret))
	return map[string]any{
		"sent":      sent,
		"received":  event.Id,
		"moment":    momentOf(*event),
		"standard":  must(rodado.VerifyWebhook(several, got.body, *webhook.JSON201.SecretEstandar)).Id,
		"tampered":  tampered != nil,
		"malformed": malformed,
	}
}

func momentOf(event rodado.Event) string {
	var whole struct{ Momento string }
	if err := json.Unmarshal(event.Raw, &whole); err != nil {
		log.Fatal(err)
	}
	return whole.Momento
}

func met(err error) any {
	var problem *rodado.ProblemError
	if !errors.As(err, &problem) {
		return fmt.Sprint(err)
	}
	fields := []string{}
	for field := range problem.Errors {
		fields = append(fields, field)
	}
	codes := []string{}
	for _, each := range problem.Codes {
		codes = append(codes, each...)
	}
	if problem.Codigo != "" {
		codes = append(codes, problem.Codigo)
	}
	slices.Sort(fields)
	slices.Sort(codes)
	codes = slices.Compact(codes)
	return map[string]any{"status": problem.Status, "code": problem.Code, "fields": fields, "codes": codes}
}

func meetProblems() []any {
	once, all := newClient(os.Getenv("RODADO_APP_SECRET"), rodado.WithRetries(0)), []any{}
	for _, asked := range scenario.Problems {
		header, body := http.Header{}, []byte(nil)
		for name, value := range asked.Headers {
			header.Set(name, value)
		}
		if asked.Body != nil {
			body = []byte(*asked.Body)
		}
		_, err := once.Request(ctx, asked.Method, asked.Path, body, header)
		all = append(all, met(err))
	}
	_, err := newClient("wrong").ListarAgencias(ctx, nil)
	return append(all, met(err))
}

func status(client *rodado.Client, method, path, body string) int {
	response, err := client.Request(ctx, method, path, []byte(body), nil)
	var problem *rodado.ProblemError
	if errors.As(err, &problem) {
		return problem.Status
	}
	return must(response, err).StatusCode
}

func website() string {
	_, err := must(rodado.New(scenario.Website, "key", "secret")).ListarAgencias(ctx, nil)
	return fmt.Sprint(err)
}

func meetHostile() []string {
	messages := []string{}
	for _, each := range scenario.Hostile {
		timeout := time.Duration(each.Seconds * float64(time.Second))
		for _, auth := range [][]rodado.Option{{}, {rodado.WithBearer()}} {
			options := append(auth, rodado.WithTimeout(timeout), rodado.WithRetries(0))
			_, err := must(rodado.New(each.URL, "key", "secret", options...)).ListarAgencias(ctx, nil)
			messages = append(messages, fmt.Sprint(err))
		}
	}
	return messages
}

func main() {
	if err := json.Unmarshal([]byte(os.Getenv("RODADO_SCENARIO")), &scenario); err != nil {
		log.Fatal(err)
	}
	secret := os.Getenv("RODADO_APP_SECRET")
	client := newClient(secret)
	listing, webhook := publishAndChange(client), receiveWebhook(client)
	inquiries, deliveries, events := []string{}, []string{}, []map[string]string{}
	for consulta, err := range rodado.Entries[api.Consulta](client.ListarConsultas(ctx, scenario.AdminMail, nil)) {
		inquiries = append(inquiries, idOf(must(consulta, err).Links["self"].Href))
	}
	about := &api.ListarEntregasParams{AdminMail: &scenario.AdminMail}
	for entrega, err := range rodado.Entries[api.Entrega](client.ListarEntregas(ctx, "consulta.recibida", about)) {
		deliveries = append(deliveries, must(entrega, err).Evento)
	}
	err := client.Follow(ctx, "", 0, func(page []rodado.Event, _ string) error {
		for _, event := range page {
			events = append(events, map[string]string{"Id": event.Id, "Momento": momentOf(event)})
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"agencies":        agencies(client),
		"agenciesByToken": agencies(newClientAt(scenario.Busy, secret, rodado.WithBearer())),
		"makes":           findMakes(client),
		"listing":         listing,
		"inquiries":       inquiries,
		"deliveries":      deliveries,
		"webhook":         webhook,
		"events":          events,
		"problems":        meetProblems(),
		"website":         website(),
		"hostile":         meetHostile(),
		"retries": []int{
			status(client, "GET", "/v3/escenario/inestable", ""),
			status(client, "POST", "/v3/escenario/limitada", "{}"),
			status(client, "POST", "/v3/escenario/caida", "{}"),
			status(client, "GET", "/v3/escenario/cortada", ""),
			status(client, "GET", "/v3/escenario/reloj", ""),
			status(newClient(secret, rodado.WithBearer()), "GET", "/v3/escenario/token", ""),
		},
	})
}
