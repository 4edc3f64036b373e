// Command pay is a small shop: it takes a payment, gives a part of it back, and reads both again.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	engine "paymentengine"
)

func main() {
	client, err := engine.NewClient(engine.Options{
		BaseURL:    os.Getenv("PAYMENT_ENGINE_URL"),
		APIKey:     os.Getenv("PAYMENT_ENGINE_KEY"),
		SecretSalt: os.Getenv("PAYMENT_ENGINE_SALT"),
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	paid, err := pay(ctx, client, "order-1042", "4242424242424242")
	if err != nil {
		log.Fatal(err)
	}
	refund, err := client.Refunds.Create(ctx, engine.CreateRefundRequest{
		PaymentIntentID: &paid.ID,
		Amount:          engine.Ptr(int64(500)),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("paid", paid.AmountCaptured, paid.Currency, "and refunded", refund.Amount)

	_, err = pay(ctx, client, "order-1043", "4000000000000002")
	var refused *engine.Error
	if !errors.As(err, &refused) {
		log.Fatal("expected a decline; got ", err)
	}
	fmt.Println("declined:", refused.Code, refused.PaymentIntent().Status)

	succeeded := engine.ListPaymentIntentsQuery{Status: engine.Ptr("succeeded")}
	for found, err := range client.PaymentIntents.Iterate(ctx, succeeded) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("found", found.AmountCaptured-found.AmountRefunded, found.Currency)
	}
}

// pay creates a payment of 19.99 EUR and confirms it with a card. The order's number keeps it from being created twice.
func pay(ctx context.Context, client *engine.Client, order, number string) (*engine.PaymentIntent, error) {
	created, err := client.PaymentIntents.Create(ctx, engine.CreatePaymentIntentRequest{
		Amount:    1999,
		Currency:  "EUR",
		Reference: engine.Value(order),
	}, engine.WithIdempotencyKey(order))
	if err != nil {
		return nil, err
	}
	return client.PaymentIntents.Confirm(ctx, created.ID, engine.ConfirmPaymentIntentRequest{
		PaymentMethod: &engine.PaymentMethod{Type: "card", Card: &engine.CardPaymentMethodCard{
			Number:      number,
			ExpiryMonth: 12,
			ExpiryYear:  int64(time.Now().Year() + 3),
			Cvc:         "123",
		}},
	})
}
