package smallest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// A small translator from Chat Completions to Anthropic Messages, with an optional bug:
//
//   decodes-each-chunk  treats the result of each read as whole characters
//   starts-again        starts a call's block again for each of its pieces
//   needs-the-name      starts a call only if its id and its name come in one piece
func given(upstream string, request any, bug string) ([]byte, error) {
	asked, _ := json.Marshal(request)
	answer, err := http.Post(upstream+"/v1/chat/completions", "application/json", bytes.NewReader(asked))
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()

	var said bytes.Buffer
	say := func(kind string, rest map[string]any) {
		rest["type"] = kind
		data, _ := json.Marshal(rest)
		fmt.Fprintf(&said, "event: %s\ndata: %s\n\n", kind, data)
	}
	type object = map[string]any
	type call struct{ id, name, held string }
	type chunk struct {
		Usage *struct {
			Prompt     int `json:"prompt_tokens"`
			Completion int `json:"completion_tokens"`
		}
		Choices []struct {
			Finish string `json:"finish_reason"`
			Delta  struct {
				Content string
				Calls   []struct {
					Index    int
					ID       string
					Function struct{ Name, Arguments string }
				} `json:"tool_calls"`
			}
		}
	}
	words := map[string]string{"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens"}
	calls := map[int]*call{}
	block, count, finish, done := "", 0, "", false
	usage := object{"input_tokens": 0, "output_tokens": 0}
	say("message_start", object{"message": object{"id": "msg_1", "type": "message", "role": "assistant", "model": "m",
		"content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": usage}})
	end := func() {
		if block != "" {
			say("content_block_stop", object{"index": count - 1})
		}
		block = ""
	}
	start := func(kind string, content object) {
		end()
		block, count = kind, count+1
		say("content_block_start", object{"index": count - 1, "content_block": content})
	}
	take := func(data string) {
		if data == "[DONE]" {
			done = true
			return
		}
		var one chunk
		if json.Unmarshal([]byte(data), &one) != nil {
			return
		}
		if one.Usage != nil {
			usage = object{"input_tokens": one.Usage.Prompt, "output_tokens": one.Usage.Completion}
		}
		if len(one.Choices) == 0 {
			return
		}
		choice := one.Choices[0]
		if choice.Finish != "" {
			finish = choice.Finish
		}
		if choice.Delta.Content != "" {
			if block != "text" {
				start("text", object{"type": "text", "text": ""})
			}
			say("content_block_delta", object{"index": count - 1,
				"delta": object{"type": "text_delta", "text": choice.Delta.Content}})
		}
		for _, piece := range choice.Delta.Calls {
			current := calls[piece.Index]
			if current == nil {
				current = &call{}
				calls[piece.Index] = current
			}
			knew := current.id != "" && current.name != ""
			if bug != "needs-the-name" || (piece.ID != "" && piece.Function.Name != "") {
				if current.id == "" {
					current.id = piece.ID
				}
				if current.name == "" {
					current.name = piece.Function.Name
				}
			}
			current.held += piece.Function.Arguments
			if current.id == "" || current.name == "" {
				continue
			}
			content := object{"type": "tool_use", "id": current.id, "name": current.name, "input": object{}}
			if !knew {
				start("call", content)
			} else if bug == "starts-again" {
				say("content_block_start", object{"index": count - 1, "content_block": content})
			}
			if current.held != "" {
				say("content_block_delta", object{"index": count - 1,
					"delta": object{"type": "input_json_delta", "partial_json": current.held}})
			}
			current.held = ""
		}
	}
	var held string
	read := make([]byte, 65536)
	for {
		size, failed := answer.Body.Read(read)
		piece := string(read[:size])
		if bug == "decodes-each-chunk" {
			piece = strings.ToValidUTF8(piece, "\uFFFD")
		}
		for held += piece; strings.Contains(held, "\n\n"); {
			var line string
			line, held, _ = strings.Cut(held, "\n\n")
			if strings.HasPrefix(line, "data: ") {
				take(strings.TrimPrefix(line, "data: "))
			}
		}
		if failed != nil {
			break
		}
	}
	end()
	if finish == "" && !done {
		say("error", object{"error": object{"type": "api_error", "message": "the upstream broke off"}})
		return said.Bytes(), nil
	}
	reason := words[finish]
	if reason == "" {
		reason = "end_turn"
	}
	say("message_delta", object{"delta": object{"stop_reason": reason, "stop_sequence": nil}, "usage": usage})
	say("message_stop", object{})
	return said.Bytes(), nil
}
