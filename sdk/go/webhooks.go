package paymentengine

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	webhookTolerance = 5 * time.Minute
	secretPrefix     = "whsec_"
)

// WebhookVerificationError says that a webhook is not from the engine, was changed on its way, or is more than 5 minutes old.
type WebhookVerificationError struct {
	Message string
}

func (e *WebhookVerificationError) Error() string { return e.Message }

// VerifyWebhook verifies that the engine sent a webhook just now, and returns its event. The same event may come more than once:
// its ID says so. The body is that of the request, byte for byte. The secrets are those of the endpoint, which begin with whsec_;
// several while one is being replaced. It returns *WebhookVerificationError.
func VerifyWebhook(body []byte, header http.Header, secrets ...string) (*Event, error) {
	id, timestamp, signatures := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp"), header.Get("Webhook-Signature")
	if id == "" || timestamp == "" || signatures == "" {
		return nil, &WebhookVerificationError{"expected the headers webhook-id, webhook-timestamp and webhook-signature; got not all of them. Pass the headers of the request as they came"}
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if age := time.Since(time.Unix(seconds, 0)); err != nil || age.Abs() > webhookTolerance {
		return nil, &WebhookVerificationError{"expected a webhook-timestamp at most 5 minutes from the time of this machine. Set its clock; if the webhook is an old one, have it sent again"}
	}
	if err := requireSigned(id+"."+timestamp+".", body, signatures, secrets); err != nil {
		return nil, err
	}
	var event Event
	if err := json.Unmarshal(body, &event); err != nil {
		return nil, &WebhookVerificationError{"the body is no event: " + err.Error()}
	}
	return &event, nil
}

func requireSigned(head string, body []byte, signatures string, secrets []string) error {
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
		if err != nil || len(key) == 0 {
			return &WebhookVerificationError{"expected the secret of the webhook endpoint, which begins with whsec_. Copy all of it"}
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(head))
		mac.Write(body)
		if isAmong(mac.Sum(nil), signatures) {
			return nil
		}
	}
	return &WebhookVerificationError{"no signature is that of this body with this secret. Pass the body byte for byte as it came, and the secret of the endpoint that received it"}
}

// isAmong compares in constant time.
func isAmong(expected []byte, signatures string) bool {
	for _, signature := range strings.Fields(signatures) {
		version, text, _ := strings.Cut(signature, ",")
		given, err := base64.StdEncoding.DecodeString(text)
		if err == nil && version == "v1" && hmac.Equal(given, expected) {
			return true
		}
	}
	return false
}
