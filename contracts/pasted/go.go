// A test of the smallest upstream stream that shows a bug of a translator.
//
// @RULE@: @SAYS@
// Found: @MESSAGE@
// Made by splitproof shrink of @CASE@.

package smallest

import (
@WITH_BYTES@	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"sort"
	"strings"
	"testing"
	"time"
)

// FILL IN: have your translator answer this request, with `upstream` ("http://127.0.0.1:PORT") as its provider, and return
// the body of its answer.
func translate(upstream string, request any) ([]byte, error) {
	return nil, fmt.Errorf("fill in translate()")
}

// END

var request = parsed(@REQUEST@)

// What the provider sends, one write each.
var chunks = [][]byte{
@CHUNKS@
}

// What has to come out of it.
var expected = parsed(@EXPECTED@)

var lineEnd = regexp.MustCompile("\r\n|\n|\r")

func parsed(text string) any {
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	return value
}

@WITH_BYTES@func bytesOf(text string) []byte {
@WITH_BYTES@	bytes, _ := base64.StdEncoding.DecodeString(text)
@WITH_BYTES@	return bytes
@WITH_BYTES@}
@WITH_BYTES@
// A member of a member ... of an object; nil where there is none.
func at(value any, keys ...string) any {
	for _, key := range keys {
		object, _ := value.(map[string]any)
		value = object[key]
	}
	return value
}

func text(value any) string {
	said, _ := value.(string)
	return said
}

func inputOf(arguments string) any {
	if strings.TrimSpace(arguments) == "" {
		return map[string]any{}
	}
	return parsed(arguments)
}

func sorted(names []any) []any {
	names = append([]any{}, names...)
	sort.Slice(names, func(a, b int) bool { return text(names[a]) < text(names[b]) })
	return names
}

type event struct{ name, data string }

func events(body string) []event {
	var all []event
	var name string
	var data []string
	for _, line := range lineEnd.Split(body, -1) {
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "":
			if data != nil {
				all = append(all, event{name, strings.Join(data, "\n")})
			}
			name, data = "", nil
		case field == "data":
			data = append(data, value)
		case field == "event":
			name = value
		}
	}
	return all
}

@READER@

// What the answer says of all that is expected.
func stated(answer, wanted any) any {
	members, isObject := wanted.(map[string]any)
	if !isObject {
		return answer
	}
	said := map[string]any{}
	for key, value := range members {
		said[key] = stated(at(answer, key), value)
	}
	return said
}

func TestSmallest(t *testing.T) {
	provider := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, asked *http.Request) {
		io.Copy(io.Discard, asked.Body)
		out.Header().Set("content-type", @CONTENT_TYPE@)
		out.WriteHeader(@STATUS@)
		for _, chunk := range chunks {
			out.Write(chunk)
			out.(http.Flusher).Flush()
			time.Sleep(30 * time.Millisecond)
		}
		@ENDING@
	}))
	defer provider.CloseClientConnections()
	body, err := translate(provider.URL, request)
	if err != nil {
		t.Fatal(err)
	}
@OF_ORDER@	answer, problems := read(events(string(body)))
@OF_ORDER@	if len(problems) > 0 {
@OF_ORDER@		t.Error(strings.Join(problems, "; "))
@OF_ORDER@	}
@NOT_OF_ORDER@	answer, _ := read(events(string(body)))
	said, _ := json.Marshal(stated(answer, expected))
	wanted, _ := json.Marshal(expected)
	if !reflect.DeepEqual(parsed(string(said)), expected) {
		t.Error(fmt.Sprintf("said   %s\nwanted %s", said, wanted))
	}
}
