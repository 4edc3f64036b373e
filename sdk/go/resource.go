package paymentengine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/url"
	"strings"
)

// largestPage is what Iterate reads at once, unless its query says otherwise.
const largestPage = 100

// Page is one page of a list.
type Page[T any] struct {
	Data       []T
	Pagination Pagination
}

// request is a call of one operation.
type request struct {
	method string
	path   string
	// values has the name and the value of each variable part of the path.
	values []string
	// query and body are structs of the document; nil where the operation has none.
	query any
	body  any
}

func send[T any](ctx context.Context, t *transport, asked request, options []CallOption) (*T, error) {
	answer, err := t.answerTo(ctx, asked, nil, options)
	if err != nil {
		return nil, err
	}
	var data T
	if err := decode(answer.Data, &data); err != nil {
		return nil, err
	}
	return &data, nil
}

func sendPage[T any](ctx context.Context, t *transport, asked request, options []CallOption) (*Page[T], error) {
	return pageAt[T](ctx, t, asked, nil, options)
}

// identified is an element of a list that a next page can follow.
type identified interface{ identity() string }

// iterate reads everything on a list, page by page as it is needed. Each page follows the last element of the one before, wherever
// that is by now: elements that are added, changed or deleted meanwhile, even by the loop itself, make no other be left out or
// yielded twice. It ends with the first error.
func iterate[T identified](ctx context.Context, t *transport, asked request, options []CallOption) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		page, err := pageAt[T](ctx, t, asked, map[string]string{}, options)
		for {
			if err != nil {
				yield(none, err)
				return
			}
			count := len(page.Data)
			if count == 0 {
				return
			}
			for _, element := range page.Data[:count-1] {
				if !yield(element, nil) {
					return
				}
			}
			// The next page is read before the loop gets the last element, which it may delete.
			last := page.Data[count-1]
			isLast := int64(count) < page.Pagination.Limit
			if !isLast {
				page, err = pageAt[T](ctx, t, asked, map[string]string{"startingAfter": last.identity()}, options)
			}
			if !yield(last, nil) || isLast {
				return
			}
		}
	}
}

// pageAt reads a page. With a place, which may be empty, it is one of all pages.
func pageAt[T any](ctx context.Context, t *transport, asked request, place map[string]string, options []CallOption) (*Page[T], error) {
	answer, err := t.answerTo(ctx, asked, place, options)
	if err != nil {
		return nil, err
	}
	page := Page[T]{}
	if answer.Pagination != nil {
		page.Pagination = *answer.Pagination
	}
	if err := decode(answer.Data, &page.Data); err != nil {
		return nil, err
	}
	return &page, nil
}

func decode(text json.RawMessage, into any) error {
	if err := json.Unmarshal(text, into); err != nil {
		return &ConnectionError{"the response is not what the document says", err}
	}
	return nil
}

func (t *transport) answerTo(ctx context.Context, asked request, place map[string]string, options []CallOption) (*envelope, error) {
	call := callOptions{timeout: t.options.Timeout}
	for _, change := range options {
		change(&call)
	}
	prepared, err := t.prepare(asked, place, call)
	if err != nil {
		return nil, &InvalidCallError{err.Error()}
	}
	return t.send(ctx, prepared)
}

func (t *transport) prepare(asked request, place map[string]string, call callOptions) (outgoing, error) {
	path, err := fill(asked.path, asked.values)
	if err != nil {
		return outgoing{}, err
	}
	query, err := queryString(asked.query, place)
	if err != nil {
		return outgoing{}, err
	}
	var body []byte
	if asked.body != nil {
		if body, err = json.Marshal(asked.body); err != nil {
			return outgoing{}, err
		}
	}
	header, err := t.headersOf(asked.method, body, call)
	return outgoing{asked.method, path + query, body, header, call.timeout}, err
}

// fill refuses an id that is missing: without it, the path would be another one.
func fill(path string, values []string) (string, error) {
	for index := 0; index+1 < len(values); index += 2 {
		name, value := values[index], values[index+1]
		if value == "" {
			return "", fmt.Errorf("%s needs a value for %s", path, name)
		}
		path = strings.Replace(path, "{"+name+"}", url.PathEscape(value), 1)
	}
	return path, nil
}

// queryString writes an object, such as metadata, as one parameter for each of its members: metadata[key]=value.
func queryString(query any, place map[string]string) (string, error) {
	if query == nil {
		return "", nil
	}
	members, err := membersOf(query)
	if err != nil {
		return "", err
	}
	values := url.Values{}
	if place != nil {
		values.Set("limit", fmt.Sprint(largestPage))
	}
	for name, value := range members {
		object, isObject := value.(map[string]any)
		if !isObject {
			values.Set(name, fmt.Sprint(value))
			continue
		}
		for key, member := range object {
			values.Set(name+"["+key+"]", fmt.Sprint(member))
		}
	}
	for name, value := range place {
		values.Set(name, value)
	}
	if len(values) == 0 {
		return "", nil
	}
	return "?" + values.Encode(), nil
}

func membersOf(query any) (map[string]any, error) {
	text, err := json.Marshal(query)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var members map[string]any
	return members, decoder.Decode(&members)
}
