// Package paymentengine calls the payment engine from servers. It needs nothing but Go's standard library.
package paymentengine

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// Options says where the engine is, and who calls it.
type Options struct {
	// BaseURL has no path: https://payments.example.
	BaseURL string
	// APIKey is svc_test_… in the sandbox, svc_live_… in production.
	APIKey string
	// SecretSalt came with the API key. Neither of them belongs in a repository.
	SecretSalt string
	// MerchantID is the account to act for; empty for the one that the key was issued to.
	MerchantID string
	// SignatureVersion is that of the key; 0 for 2, as of every new key.
	SignatureVersion int
	// Timeout is for one try; 0 for 30 seconds. A payment's outcome is waited for up to 15.
	Timeout time.Duration
	// HTTPClient sends the requests; nil for one of its own. Its redirects are never followed.
	HTTPClient *http.Client
	// Sleep waits between two tries; nil for a timer.
	Sleep func(ctx context.Context, pause time.Duration) error
}

// Client has the operations of the engine by resource: client.PaymentIntents.Create(ctx, …).
//
// Each try of a call is signed, a POST gets an idempotency key, and what failed in passing is repeated under the same key after 1,
// 2 and 4 seconds, or when the engine says. A call returns *Error with the engine's code, *ConnectionError when no try was
// answered, and *InvalidCallError for what cannot be sent. Goroutines may share one client.
type Client struct {
	Resources
}

// NewClient makes a client. It keeps nothing open but idle connections.
func NewClient(options Options) (*Client, error) {
	address, err := url.Parse(options.BaseURL)
	if err != nil || (address.Scheme != "https" && address.Scheme != "http") || address.Host == "" {
		return nil, &InvalidCallError{"expected a BaseURL such as https://payments.example"}
	}
	if options.APIKey == "" || options.SecretSalt == "" {
		return nil, &InvalidCallError{"expected the APIKey and the SecretSalt that came with it"}
	}
	if options.SignatureVersion == 0 {
		options.SignatureVersion = 2
	}
	if options.SignatureVersion != 1 && options.SignatureVersion != 2 {
		return nil, &InvalidCallError{"expected a SignatureVersion of 1 or 2"}
	}
	if options.Timeout == 0 {
		options.Timeout = 30 * time.Second
	}
	if options.Sleep == nil {
		options.Sleep = sleep
	}
	return &Client{newResources(&transport{options, httpClientOf(options.HTTPClient)})}, nil
}

func httpClientOf(given *http.Client) *http.Client {
	client := http.Client{}
	if given != nil {
		client = *given
	}
	// A redirect would take the signed request to another address.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
}

func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// CallOption changes one call.
type CallOption func(*callOptions)

type callOptions struct {
	idempotencyKey *string
	merchantID     string
	respondAsync   bool
	timeout        time.Duration
}

// WithIdempotencyKey sets the key of a POST; a new one is made for each call otherwise. It is the same for every try of the call.
func WithIdempotencyKey(key string) CallOption {
	return func(options *callOptions) { options.idempotencyKey = &key }
}

// WithMerchantID sets the merchant account to act for, instead of the client's.
func WithMerchantID(id string) CallOption {
	return func(options *callOptions) { options.merchantID = id }
}

// RespondAsync asks for an answer at once rather than for the outcome.
func RespondAsync() CallOption {
	return func(options *callOptions) { options.respondAsync = true }
}

// WithTimeout sets the time of one try, instead of the client's.
func WithTimeout(timeout time.Duration) CallOption {
	return func(options *callOptions) { options.timeout = timeout }
}
