// Command conformance makes the calls of sdk/conformance with the Go client: one command in, one report out, each a line of JSON.
package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"os"
	"time"

	engine "paymentengine"
)

const longestLine = 1 << 20

type command struct {
	Call    *call
	Client  settings
	Webhook *webhook
}

type settings struct {
	BaseURL          string
	APIKey           string
	SecretSalt       string
	MerchantID       string
	SignatureVersion int
	TimeoutMs        int64
}

type call struct {
	Operation string
	Path      []string
	Query     json.RawMessage
	Body      json.RawMessage
	Options   struct {
		IdempotencyKey *string
		MerchantID     string
		RespondAsync   bool
	}
	Iterate bool
}

type webhook struct {
	Headers map[string]string
	Body    string
	Secrets []string
}

type report map[string]any

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		var asked command
		must(json.Unmarshal(lines.Bytes(), &asked))
		text, err := json.Marshal(run(asked))
		must(err)
		fmt.Println(string(text))
	}
	must(lines.Err())
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func run(asked command) report {
	if asked.Webhook != nil {
		return verify(*asked.Webhook)
	}
	pausesMs := []int64{}
	client, err := engine.NewClient(engine.Options{
		BaseURL:          asked.Client.BaseURL,
		APIKey:           asked.Client.APIKey,
		SecretSalt:       asked.Client.SecretSalt,
		MerchantID:       asked.Client.MerchantID,
		SignatureVersion: asked.Client.SignatureVersion,
		Timeout:          time.Duration(asked.Client.TimeoutMs) * time.Millisecond,
		Sleep: func(_ context.Context, pause time.Duration) error {
			pausesMs = append(pausesMs, pause.Milliseconds())
			return nil
		},
	})
	must(err)
	outcome := outcomeOf(client, *asked.Call)
	outcome["pausesMs"] = pausesMs
	return outcome
}

func verify(received webhook) report {
	header := http.Header{}
	for name, value := range received.Headers {
		header.Set(name, value)
	}
	body, err := base64.StdEncoding.DecodeString(received.Body)
	must(err)
	event, err := engine.VerifyWebhook(body, header, received.Secrets...)
	var refused *engine.WebhookVerificationError
	if errors.As(err, &refused) {
		return report{"kind": "webhook_refused"}
	}
	must(err)
	return report{"kind": "event", "id": event.ID}
}

func outcomeOf(client *engine.Client, asked call) report {
	ctx := context.Background()
	intents, options := client.PaymentIntents, optionsOf(asked)
	path := append(asked.Path, "")
	switch asked.Operation {
	case "createPaymentIntent":
		return result(intents.Create(ctx, read[engine.CreatePaymentIntentRequest](asked.Body), options...))
	case "confirmPaymentIntent":
		return result(intents.Confirm(ctx, path[0], read[engine.ConfirmPaymentIntentRequest](asked.Body), options...))
	case "getPaymentIntent":
		return result(intents.Get(ctx, path[0], options...))
	case "updatePaymentIntent":
		return result(intents.Update(ctx, path[0], read[engine.UpdatePaymentIntentRequest](asked.Body), options...))
	case "createRefund":
		return result(client.Refunds.Create(ctx, read[engine.CreateRefundRequest](asked.Body), options...))
	case "suspendMerchantAccount":
		return result(client.MerchantAccounts.Suspend(ctx, path[0], options...))
	case "listPaymentIntents":
		query := read[engine.ListPaymentIntentsQuery](asked.Query)
		if asked.Iterate {
			return items(intents.Iterate(ctx, query, options...))
		}
		page, err := intents.List(ctx, query, options...)
		if err != nil {
			return failed(err)
		}
		return items(func(yield func(engine.PaymentIntent, error) bool) {
			for _, element := range page.Data {
				yield(element, nil)
			}
		})
	}
	panic("no method for " + asked.Operation)
}

func read[T any](text json.RawMessage) (value T) {
	if text != nil {
		must(json.Unmarshal(text, &value))
	}
	return value
}

func optionsOf(asked call) []engine.CallOption {
	options := []engine.CallOption{}
	if asked.Options.IdempotencyKey != nil {
		options = append(options, engine.WithIdempotencyKey(*asked.Options.IdempotencyKey))
	}
	if asked.Options.MerchantID != "" {
		options = append(options, engine.WithMerchantID(asked.Options.MerchantID))
	}
	if asked.Options.RespondAsync {
		options = append(options, engine.RespondAsync())
	}
	return options
}

func result[T any](data *T, err error) report {
	if err != nil {
		return failed(err)
	}
	return report{"kind": "result", "data": data}
}

func items(elements iter.Seq2[engine.PaymentIntent, error]) report {
	ids := []string{}
	for element, err := range elements {
		if err != nil {
			return failed(err)
		}
		ids = append(ids, element.ID)
	}
	return report{"kind": "items", "ids": ids}
}

func failed(err error) report {
	var lost *engine.ConnectionError
	var invalid *engine.InvalidCallError
	var refused *engine.Error
	switch {
	case errors.As(err, &lost):
		return report{"kind": "connection_error"}
	case errors.As(err, &invalid):
		return report{"kind": "usage_error"}
	case errors.As(err, &refused):
		outcome := report{
			"kind": "engine_error", "code": refused.Code, "status": refused.Status,
			"requestId": refused.RequestID, "paymentIntentId": nil,
		}
		if intent := refused.PaymentIntent(); intent != nil {
			outcome["paymentIntentId"] = intent.ID
		}
		return outcome
	}
	panic(err)
}
