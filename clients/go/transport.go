package rodado

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	firstWait = 250 * time.Millisecond
	// A token is renewed this long before it expires.
	margin = time.Minute
	// More than any response of the API, and less than a process can spare.
	maxResponseMB = 32
)

// ConnectionError means that there was no complete response: a network error or a timeout. A change may have been done: read it
// before you repeat it.
type ConnectionError struct {
	Method, URL string
	Err         error
}

func (e *ConnectionError) Error() string {
	return fmt.Sprintf("rodado: %s %s: %v", e.Method, e.URL, e.Err)
}

func (e *ConnectionError) Unwrap() error { return e.Err }

// ProblemError is a refusal of the server.
type ProblemError struct {
	Status int
	// Code is the last part of Type, or OAuth's own code.
	Code          string
	Title, Detail string
	// Errors are messages by field; "_" has those of the whole entry. Codes are their stable codes.
	Errors, Codes map[string][]string
	// Codigo is the stable code of a problem that is not a 400.
	Codigo     string
	Extensions map[string]json.RawMessage
	RequestID  string
	Header     http.Header
	isOurs     bool
}

func (p *ProblemError) Error() string {
	fields := []string{}
	for _, field := range slices.Sorted(maps.Keys(p.Errors)) {
		fields = append(fields, field+": "+strings.Join(p.Errors[field], " "))
	}
	return fmt.Sprintf("rodado: %d %s", p.Status, cmp.Or(strings.Join(fields, "; "), p.Detail, p.Title))
}

func problemOf(response *http.Response, data []byte) *ProblemError {
	var body struct {
		Type, Title, Detail string
		Errors              map[string][]string
		Extensions          map[string]json.RawMessage
		OauthError          string `json:"error"`
		Description         string `json:"error_description"`
	}
	_ = json.Unmarshal(data, &body) // a proxy's page is not JSON
	problem := &ProblemError{
		Status:     response.StatusCode,
		Code:       body.Type[strings.LastIndex(body.Type, "/")+1:] + body.OauthError,
		Title:      body.Title,
		Detail:     body.Detail + body.Description,
		Errors:     body.Errors,
		Extensions: body.Extensions,
		RequestID:  response.Header.Get("X-Request-Id"),
		Header:     response.Header,
		isOurs:     strings.Contains(body.Type, "/problemas/"),
	}
	if problem.Title == "" {
		problem.Title = response.Status
	}
	_ = json.Unmarshal(body.Extensions["Codigo"], &problem.Codigo)
	_ = json.Unmarshal(body.Extensions["Codigos"], &problem.Codes)
	return problem
}

// transport authenticates requests and retries them.
type transport struct {
	client                    *http.Client
	appKey, appSecret, prefix string
	tokenURL                  string
	bearer                    bool
	retries                   int
	longestWait               time.Duration

	mutex sync.Mutex
	skew  time.Duration
	token string
	until time.Time
}

type transportKey struct{}

// followLink requests a path of the server that answered another request, with the same client.
func followLink(answered *http.Request, href string) (*http.Response, error) {
	at, err := answered.URL.Parse(href)
	if err != nil {
		return nil, err
	}
	if at.Scheme != answered.URL.Scheme || at.Host != answered.URL.Host {
		return nil, fmt.Errorf("rodado: the link %q leads to another server, which must not get the credentials", href)
	}
	request, err := http.NewRequestWithContext(answered.Context(), http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, err
	}
	return answered.Context().Value(transportKey{}).(*transport).Do(request)
}

// Do sends a request. A safe one is retried after any temporary error, any other only after the server's own 429, which comes
// before any work.
func (t *transport) Do(request *http.Request) (*http.Response, error) {
	var body []byte
	if request.Body != nil {
		var err error
		if body, err = io.ReadAll(request.Body); err != nil {
			return nil, err
		}
	}
	if request.Header.Get("Accept") == "" {
		request.Header.Set("Accept", "application/json")
	}
	request.Header.Set("User-Agent", "rodado-go/"+Version)
	safe := request.Method == http.MethodGet || request.Method == http.MethodHead || request.Method == http.MethodOptions
	corrected := false
	for failures := 0; ; {
		response, err := t.attempt(request, body)
		problem, refused := err.(*ProblemError)
		_, disconnected := err.(*ConnectionError)
		if err == nil {
			if err := checkType(request, response); err != nil {
				return nil, err
			}
			response.Request = request.WithContext(context.WithValue(request.Context(), transportKey{}, t))
			return response, nil
		}
		if refused && problem.Status == http.StatusUnauthorized && !corrected && t.correct(problem, request) {
			corrected = true
			continue
		}
		wait := time.Duration(float64(firstWait<<failures) * (0.5 + mathrand.Float64()))
		passes := safe && disconnected
		if refused {
			limited := problem.Status == http.StatusTooManyRequests
			passes = limited && (safe || problem.isOurs) || safe && (problem.Status >= 500 || problem.Status == http.StatusRequestTimeout)
			if after, ok := retryAfter(problem.Header); ok {
				wait = after
			}
		}
		if failures >= t.retries || !passes || wait > t.longestWait || request.Context().Err() != nil {
			return nil, err
		}
		if err := pause(request.Context(), wait); err != nil {
			return nil, err
		}
		failures++
	}
}

// checkType refuses HTML, which a website at a wrong address answers to everything.
func checkType(request *http.Request, response *http.Response) error {
	isHTML := strings.Contains(response.Header.Get("Content-Type"), "text/html")
	if isHTML && !strings.Contains(request.Header.Get("Accept"), "html") {
		return fmt.Errorf("rodado: %s answers text/html instead of JSON: check the server's address", request.URL)
	}
	return nil
}

// attempt includes the whole response, so that a truncated one counts as a failure.
func (t *transport) attempt(request *http.Request, body []byte) (*http.Response, error) {
	if len(body) > 0 {
		request.Body = io.NopCloser(bytes.NewReader(body))
	}
	if err := t.authenticate(request, body); err != nil {
		return nil, err
	}
	response, data, err := t.exchange(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode/100 != 2 && response.StatusCode != http.StatusNotModified {
		return nil, problemOf(response, data)
	}
	response.Body = io.NopCloser(bytes.NewReader(data))
	return response, nil
}

// exchange reads the whole response. One that does not end must not fill the memory.
func (t *transport) exchange(request *http.Request) (*http.Response, []byte, error) {
	response, err := t.client.Do(request)
	if err != nil {
		return nil, nil, t.connectionError(request, err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, maxResponseMB<<20+1))
	if err != nil {
		return nil, nil, t.connectionError(request, err)
	}
	if len(data) > maxResponseMB<<20 {
		return nil, nil, fmt.Errorf("rodado: %s answers more than %d MB: check the server's address, or narrow the list", request.URL, maxResponseMB)
	}
	return response, data, nil
}

func (t *transport) connectionError(request *http.Request, err error) error {
	var named *url.Error // has method and URL too
	if errors.As(err, &named) {
		err = named.Err
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() && request.Context().Err() == nil {
		err = fmt.Errorf("no answer within %s: %w", t.client.Timeout, err)
	}
	return &ConnectionError{Method: request.Method, URL: request.URL.String(), Err: err}
}

func (t *transport) authenticate(request *http.Request, body []byte) error {
	if t.bearer {
		token, err := t.getToken(request.Context())
		request.Header.Set("Authorization", "Bearer "+token)
		return err
	}
	t.mutex.Lock()
	now := time.Now().Add(t.skew)
	t.mutex.Unlock()
	t.sign(request, body, now.UTC().Format(http.TimeFormat), rand.Text())
	return nil
}

// sign signs method, digest, an empty line for Date, our own headers by name, and the target.
func (t *transport) sign(request *http.Request, body []byte, date, nonce string) {
	digest := ""
	if len(body) > 0 {
		sum := sha256.Sum256(body)
		digest = "sha-256=" + base64.StdEncoding.EncodeToString(sum[:])
		request.Header.Set("Digest", digest)
	}
	own := "x-" + strings.ToLower(t.prefix)
	request.Header.Set(own+"-date", date)
	request.Header.Set(own+"-nonce", nonce)
	lines := []string{request.Method, digest, "", own + "-date:" + date, own + "-nonce:" + nonce, request.URL.RequestURI()}
	mac := hmac.New(sha256.New, []byte(t.appSecret))
	mac.Write([]byte(strings.Join(lines, "\n")))
	signature := base64.StdEncoding.EncodeToString(mac.Sum(nil))
	request.Header.Set("Authorization", fmt.Sprintf("%s-HMAC %s:%s", t.prefix, t.appKey, signature))
}

// correct is true if a refused credential is worth one more attempt: a wrong clock takes the server's time, and a token that
// was revoked is forgotten.
func (t *transport) correct(problem *ProblemError, request *http.Request) bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	theirs, err := http.ParseTime(problem.Header.Get("Date"))
	if problem.Codigo == "fecha-fuera-de-rango" && err == nil {
		t.skew = time.Until(theirs)
		return true
	}
	if problem.Codigo == "token-invalido" && request.Header.Get("Authorization") == "Bearer "+t.token {
		t.token = ""
	}
	return problem.Codigo == "token-invalido"
}

func (t *transport) getToken(ctx context.Context) (string, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.token != "" && time.Now().Before(t.until) {
		return t.token, nil
	}
	form := url.Values{"grant_type": {"client_credentials"}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, t.tokenURL, strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	request.SetBasicAuth(t.appKey, t.appSecret)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, data, err := t.exchange(request)
	if err != nil {
		return "", err
	}
	if response.StatusCode != http.StatusOK {
		return "", problemOf(response, data)
	}
	var given struct {
		Token   string `json:"access_token"`
		Seconds int    `json:"expires_in"`
	}
	if err := json.Unmarshal(data, &given); err != nil || given.Token == "" {
		return "", fmt.Errorf("rodado: %s answers no token: check the server's address", t.tokenURL)
	}
	t.token, t.until = given.Token, time.Now().Add(time.Duration(given.Seconds)*time.Second-margin)
	return t.token, nil
}

// longestRetryAfter is a year in seconds: more would overflow a Duration.
const longestRetryAfter = 365 * 86400.0

func retryAfter(header http.Header) (time.Duration, bool) {
	text := header.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		return time.Duration(min(max(seconds, 0), longestRetryAfter) * float64(time.Second)), true
	}
	at, err := http.ParseTime(text)
	return max(0, time.Until(at)), err == nil
}

func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
