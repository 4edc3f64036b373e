package paymentengine

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"
)

// noBody is what a request without a body signs in version 1.
const noBody = "{}"

// SignRequest adds the headers that authenticate a request, signed now. They are valid for 5 minutes, and with version 2 for one
// request. X-Merchant-ID and X-Idempotency-Key have to be set before. The target is path and query, exactly as they are sent.
func SignRequest(header http.Header, options Options, method, target string, body []byte) {
	timestamp := time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	header.Set("Authorization", "Bearer "+options.APIKey)
	header.Set("X-Timestamp", timestamp)
	if options.SignatureVersion == 1 {
		header.Set("X-Secret-Salt", options.SecretSalt)
		header.Set("X-Signature", signatureV1(options.SecretSalt, timestamp, body))
		return
	}
	nonce := rand.Text()
	hash := sha256.Sum256(body)
	context := []string{header.Get("X-Merchant-ID"), header.Get("X-Idempotency-Key")}
	lines := []string{"v2", method, target, timestamp, nonce, context[0], context[1], hex.EncodeToString(hash[:])}
	header.Set("X-Nonce", nonce)
	header.Set("X-Signature", hmacOf(options.SecretSalt, []byte(strings.Join(lines, "\n"))))
}

func signatureV1(secretSalt, timestamp string, body []byte) string {
	if len(body) == 0 {
		body = []byte(noBody)
	}
	return hmacOf(secretSalt, append([]byte(timestamp), body...))
}

func hmacOf(secretSalt string, content []byte) string {
	mac := hmac.New(sha256.New, []byte(secretSalt))
	mac.Write(content)
	return hex.EncodeToString(mac.Sum(nil))
}
