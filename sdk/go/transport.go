package paymentengine

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const userAgent = "payment-engine-go/1.0.0"

// retryPauses are those before the second, third and fourth try.
var retryPauses = []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}

// longestPause is the window of the engine's rate limit: it never asks for more.
const longestPause = time.Minute

// transientCodes are those of failures that pass. The engine stores no INTERNAL_ERROR under an idempotency key, so that a repeated
// POST goes on with the same operation.
var transientCodes = map[string]bool{
	"RATE_LIMIT_EXCEEDED": true,
	"TSP_TIMEOUT":         true,
	"TSP_UNAVAILABLE":     true,
	"INTERNAL_ERROR":      true,
	"SERVICE_UNAVAILABLE": true,
}

// transport signs and sends requests, and repeats what failed in passing.
type transport struct {
	options Options
	client  *http.Client
}

// outgoing is a request before it is signed.
type outgoing struct {
	method string
	// target is path and query, from /api/v1 on.
	target  string
	body    []byte
	header  http.Header
	timeout time.Duration
}

// envelope is what every answer of the engine is in.
type envelope struct {
	Success    *bool           `json:"success"`
	Data       json.RawMessage `json:"data"`
	Pagination *Pagination     `json:"pagination"`
	Error      *APIError       `json:"error"`
}

// failure is that of one try.
type failure struct {
	err         error
	isTransient bool
	retryAfter  time.Duration
}

// send tries until something succeeds or fails for good, or four tries are used up.
func (t *transport) send(ctx context.Context, asked outgoing) (*envelope, error) {
	for _, pause := range retryPauses {
		answer, failed := t.sendOnce(ctx, asked)
		if failed == nil {
			return answer, nil
		}
		if !failed.isTransient {
			return nil, failed.err
		}
		if err := t.options.Sleep(ctx, min(max(pause, failed.retryAfter), longestPause)); err != nil {
			return nil, err
		}
	}
	answer, failed := t.sendOnce(ctx, asked)
	if failed != nil {
		return nil, failed.err
	}
	return answer, nil
}

// sendOnce is one try: signed anew, sent, read.
func (t *transport) sendOnce(ctx context.Context, asked outgoing) (*envelope, *failure) {
	limited, cancel := context.WithTimeout(ctx, asked.timeout)
	defer cancel()
	request, err := t.signed(limited, asked)
	if err != nil {
		return nil, &failure{err: &InvalidCallError{err.Error()}}
	}
	response, content, err := t.exchange(request)
	if ctx.Err() != nil {
		return nil, &failure{err: ctx.Err()}
	}
	if err != nil {
		lost := &ConnectionError{fmt.Sprintf("%s %s was not answered", asked.method, asked.target), err}
		return nil, &failure{err: lost, isTransient: true}
	}
	return read(response, content)
}

func (t *transport) signed(ctx context.Context, asked outgoing) (*http.Request, error) {
	// A body of a type that net/http does not know: it would send a lost request again by itself, with the nonce of the first.
	body := io.NopCloser(bytes.NewReader(asked.body))
	address := strings.TrimRight(t.options.BaseURL, "/") + asked.target
	request, err := http.NewRequestWithContext(ctx, asked.method, address, body)
	if err != nil {
		return nil, err
	}
	request.ContentLength = int64(len(asked.body))
	request.Header = asked.header.Clone()
	SignRequest(request.Header, t.options, asked.method, asked.target, asked.body)
	return request, nil
}

func (t *transport) exchange(request *http.Request) (*http.Response, []byte, error) {
	response, err := t.client.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	return response, content, err
}

func read(response *http.Response, content []byte) (*envelope, *failure) {
	var answer envelope
	isRead := json.Unmarshal(content, &answer) == nil && answer.Success != nil
	status, header := response.StatusCode, response.Header
	if isRead && *answer.Success && answer.Data != nil {
		return &answer, nil
	}
	failed := &failure{retryAfter: retryAfterOf(header)}
	if isRead && !*answer.Success && answer.Error != nil && answer.Error.Code != "" {
		code := string(answer.Error.Code)
		failed.err = &Error{*answer.Error, status}
		// The first try may still be running on the other side, although its answer was lost.
		isRunning := code == "DUPLICATE_REQUEST" && header.Get("Retry-After") != ""
		failed.isTransient = isRunning || transientCodes[code]
		return nil, failed
	}
	failed.err = &ConnectionError{Message: problemOf(status, header)}
	// A proxy's refusal stays one; anything else may hide an answer that was lost.
	failed.isTransient = status < 300 || status >= 500 || status == http.StatusTooManyRequests
	return nil, failed
}

func problemOf(status int, header http.Header) string {
	if location := header.Get("Location"); location != "" {
		return fmt.Sprintf("the response with status %d redirects to %s; expected a BaseURL at which the engine answers itself", status, location)
	}
	return fmt.Sprintf("the response with status %d is not from the engine", status)
}

// retryAfterOf reads seconds or a date; 0 when neither is there.
func retryAfterOf(header http.Header) time.Duration {
	text := header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 32); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

// headersOf are those of every try, besides the signature.
func (t *transport) headersOf(method string, body []byte, call callOptions) (http.Header, error) {
	header := http.Header{}
	header.Set("Accept", "application/json")
	header.Set("User-Agent", userAgent)
	if body != nil {
		header.Set("Content-Type", "application/json")
	}
	merchantID := t.options.MerchantID
	if call.merchantID != "" {
		merchantID = call.merchantID
	}
	if merchantID != "" {
		header.Set("X-Merchant-ID", merchantID)
	}
	if method == http.MethodPost {
		// The engine refuses an empty key. A new one in its place would let a repeat of the call charge twice.
		key := rand.Text()
		if call.idempotencyKey != nil {
			key = *call.idempotencyKey
		}
		header.Set("X-Idempotency-Key", key)
	}
	if call.respondAsync {
		header.Set("Prefer", "respond-async")
	}
	for name, values := range header {
		if !isPrintable(values[0]) {
			return nil, errors.New("expected " + name + " in printable ASCII")
		}
	}
	return header, nil
}

func isPrintable(text string) bool {
	return strings.IndexFunc(text, func(letter rune) bool { return letter < ' ' || letter > '~' }) < 0
}
