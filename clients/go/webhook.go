package rodado

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// VerifyWebhook verifies a delivery and returns its event. The body is as received. Answer 2xx within 15 seconds; the same Id
// may come again. A secret is the webhook's Secret or its SecretEstandar; give both while one replaces the other.
func VerifyWebhook(header http.Header, body []byte, secrets ...string) (*Event, error) {
	err := errors.New("rodado: a secret is needed")
	for _, secret := range secrets {
		if secret == "" {
			continue
		}
		if !strings.HasPrefix(secret, "whsec_") {
			secret = "whsec_" + base64.StdEncoding.EncodeToString([]byte(secret))
		}
		var webhook *standardwebhooks.Webhook
		if webhook, err = standardwebhooks.NewWebhook(secret); err != nil {
			return nil, err
		}
		if err = webhook.Verify(body, header); err == nil {
			event := &Event{}
			return event, json.Unmarshal(body, event)
		}
	}
	return nil, err
}
