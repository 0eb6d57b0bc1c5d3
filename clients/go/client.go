// Package rodado is the client of the Rodado partner API. Its operations are in the package generated.
package rodado

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	api "github.com/rodado/client-go/generated"
)

// Version is that of the API.
const Version = "0.2.0"

// Client has a method for each operation of the API.
type Client struct {
	*api.ClientWithResponses
	baseURL string
	http    *transport
}

// Option changes a client's settings.
type Option func(*transport)

// WithBearer authenticates with a token, which is renewed when needed, instead of signatures.
func WithBearer() Option { return func(t *transport) { t.bearer = true } }

// WithPrefix sets the server's SIGNATURE_PREFIX.
func WithPrefix(prefix string) Option { return func(t *transport) { t.prefix = prefix } }

// WithRetries sets how often a repeatable call is retried; 3 by default.
func WithRetries(retries int) Option { return func(t *transport) { t.retries = retries } }

// WithLongestWait sets the longest Retry-After to wait for; a minute by default.
func WithLongestWait(wait time.Duration) Option { return func(t *transport) { t.longestWait = wait } }

// WithTimeout bounds each attempt, from connecting to the last byte; 30 s by default.
func WithTimeout(timeout time.Duration) Option {
	return func(t *transport) { t.client.Timeout = timeout }
}

// WithHTTPClient sets another HTTP client, of which it makes a copy. Its Timeout takes the place of WithTimeout.
func WithHTTPClient(client *http.Client) Option {
	return func(t *transport) {
		own := *client
		own.CheckRedirect = noRedirects
		t.client = &own
	}
}

// noRedirects is for every client: a signature is valid for one address.
func noRedirects(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// New makes a client for a partner's app.
func New(baseURL, appKey, appSecret string, options ...Option) (*Client, error) {
	at, err := url.Parse(baseURL)
	if err != nil || (at.Scheme != "http" && at.Scheme != "https") || at.Host == "" {
		return nil, fmt.Errorf("rodado: %q is not the address of a server: https://api.mercado.example", baseURL)
	}
	if appKey == "" || appSecret == "" {
		return nil, errors.New("rodado: the AppKey and the AppSecret are needed: they come with the app")
	}
	t := &transport{
		client:      &http.Client{Timeout: 30 * time.Second, CheckRedirect: noRedirects},
		appKey:      appKey,
		appSecret:   appSecret,
		prefix:      "SVC",
		retries:     3,
		longestWait: time.Minute,
		tokenURL:    at.JoinPath("oauth/token").String(),
	}
	for _, option := range options {
		option(t)
	}
	made, err := api.NewClientWithResponses(baseURL, api.WithHTTPClient(t))
	if err != nil {
		return nil, err
	}
	return &Client{ClientWithResponses: made, baseURL: at.JoinPath("/").String(), http: t}, nil
}

// Request sends any request to the API, such as one to a link of an answer. Its error is a *ProblemError if the server refused.
func (c *Client) Request(ctx context.Context, method, href string, body []byte, header http.Header) (*http.Response, error) {
	if !strings.HasPrefix(href, "/") {
		return nil, fmt.Errorf("rodado: %q is not a path of the API: those begin with /", href)
	}
	at, err := url.Parse(c.baseURL[:len(c.baseURL)-1] + href)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, at.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if len(body) > 0 {
		request.Header.Set("Content-Type", "application/json")
	}
	for name, values := range header {
		request.Header[http.CanonicalHeaderKey(name)] = values
	}
	return c.http.Do(request)
}

type page[E any] struct {
	Links   api.Links `json:"_links"`
	Entries []E       `json:"_entries"`
}

// Entries iterates over the entries of a list, over all its pages:
//
//	for consulta, err := range rodado.Entries[api.Consulta](client.ListarConsultas(ctx, mail, nil)) { … }
func Entries[E any](response *http.Response, err error) func(yield func(E, error) bool) {
	return func(yield func(E, error) bool) {
		var none E
		for {
			var list page[E]
			if err == nil {
				err = decode(response, &list)
			}
			if err != nil {
				yield(none, err)
				return
			}
			for _, entry := range list.Entries {
				if !yield(entry, nil) {
					return
				}
			}
			next, more := list.Links["next"]
			if !more || len(list.Entries) == 0 {
				return
			}
			response, err = followLink(response.Request, next.Href)
		}
	}
}

// Event is an event of the feed or of a delivery; Raw has all of it.
type Event struct {
	Id, Topic, AdminMail string
	Raw                  json.RawMessage `json:"-"`
}

// UnmarshalJSON keeps the whole event.
func (e *Event) UnmarshalJSON(data []byte) error {
	type plain Event
	e.Raw = append(json.RawMessage(nil), data...)
	return json.Unmarshal(data, (*plain)(e))
}

// Follow reads the feed from a cursor ("" is the oldest stored event) and gives each page to handle, with the cursor to store
// once it is processed. It waits `every` when there is nothing new, or returns if that is 0.
func (c *Client) Follow(ctx context.Context, cursor string, every time.Duration, handle func(events []Event, next string) error) error {
	for {
		params := &api.ListarEventosParams{}
		if cursor != "" {
			params.Cursor = &cursor
		}
		var list page[Event]
		response, err := c.ListarEventos(ctx, params)
		if err == nil {
			err = decode(response, &list)
		}
		if err != nil && (every == 0 || !isOutage(err)) {
			return err
		}
		if err == nil {
			next, err := url.Parse(list.Links["next"].Href)
			if err != nil {
				return err
			}
			if cursor = next.Query().Get("cursor"); cursor == "" {
				return errors.New("rodado: the answer is not a page of the feed: it has no next cursor")
			}
			if len(list.Entries) > 0 {
				if err := handle(list.Entries, cursor); err != nil {
					return err
				}
				continue
			}
		}
		if every == 0 {
			return nil
		}
		if err := pause(ctx, every); err != nil {
			return err
		}
	}
}

func isOutage(err error) bool {
	var problem *ProblemError
	if errors.As(err, &problem) {
		return problem.Status >= 500 || problem.Status == http.StatusTooManyRequests
	}
	var disconnected *ConnectionError
	return errors.As(err, &disconnected)
}

func decode(response *http.Response, into any) error {
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}
