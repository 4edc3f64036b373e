package paymentengine

import (
	"bytes"
	"encoding/json"
)

// Ptr is the address of a value, for members that may be left out.
func Ptr[T any](value T) *T { return &value }

// Nullable is a member that may be left out, null, or a value. Its zero value is left out.
type Nullable[T any] struct {
	value *T
	isSet bool
}

// Value is a member with a value.
func Value[T any](value T) Nullable[T] { return Nullable[T]{&value, true} }

// Null is a member that is null: a change that removes what it had.
func Null[T any]() Nullable[T] { return Nullable[T]{nil, true} }

// Get returns the value, and whether there is one.
func (n Nullable[T]) Get() (value T, ok bool) {
	if n.value == nil {
		return value, false
	}
	return *n.value, true
}

// IsZero says whether the member is left out.
func (n Nullable[T]) IsZero() bool { return !n.isSet }

// MarshalJSON writes null, or the value.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.value) }

// UnmarshalJSON reads null, or the value.
func (n *Nullable[T]) UnmarshalJSON(text []byte) error {
	n.isSet = true
	if bytes.Equal(text, []byte("null")) {
		n.value = nil
		return nil
	}
	n.value = new(T)
	return json.Unmarshal(text, n.value)
}
