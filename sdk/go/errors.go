package paymentengine

import "fmt"

// Error says that the engine rejected the request or could not carry it out; Code says why.
type Error struct {
	APIError
	// Status is that of the HTTP response.
	Status int
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s (%s, request %s)", e.Message, e.Code, e.RequestID)
}

// PaymentIntent is the payment intent as the failure left it; nil if it is about none. A failed creation has its client secret.
func (e *Error) PaymentIntent() *FailedPaymentIntent {
	if e.Details == nil {
		return nil
	}
	return e.Details.PaymentIntent
}

// Refund is the refund as the failure left it; nil if it is about none.
func (e *Error) Refund() *Refund {
	if e.Details == nil {
		return nil
	}
	return e.Details.Refund
}

// ConnectionError says that no understandable answer came: whether the engine acted is unknown. The same request may be sent
// again, with the same idempotency key.
type ConnectionError struct {
	Message string
	Cause   error
}

func (e *ConnectionError) Error() string {
	if e.Cause == nil {
		return e.Message
	}
	return fmt.Sprintf("%s: %v", e.Message, e.Cause)
}

func (e *ConnectionError) Unwrap() error { return e.Cause }

// InvalidCallError says what cannot be sent; nothing was.
type InvalidCallError struct {
	Message string
}

func (e *InvalidCallError) Error() string { return e.Message }
