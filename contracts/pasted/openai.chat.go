// What a client assembles.
func read(all []event) (any, []string) {
	type call struct{ name, id, said string }
	var text_, thinking, refusal string
	answer := map[string]any{"error": false}
	calls := map[any]*call{}
	var order []*call
	for _, one := range all {
		if one.data == "[DONE]" {
			break
		}
		json := parsed(one.data)
		if at(json, "error") != nil {
			answer["error"] = true
			break
		}
		var choice any
		if choices, _ := at(json, "choices").([]any); len(choices) > 0 {
			choice = choices[0]
		}
		delta := at(choice, "delta")
		text_ += text(at(delta, "content"))
		thinking += text(at(delta, "reasoning_content")) + text(at(delta, "reasoning"))
		refusal += text(at(delta, "refusal"))
		pieces, _ := at(delta, "tool_calls").([]any)
		for _, piece := range pieces {
			current := calls[at(piece, "index")]
			if current == nil {
				current = &call{}
				calls[at(piece, "index")] = current
				order = append(order, current)
			}
			if current.id == "" {
				current.id = text(at(piece, "id"))
			}
			if current.name == "" {
				current.name = text(at(piece, "function", "name"))
			}
			current.said += text(at(piece, "function", "arguments"))
		}
		if reason := text(at(choice, "finish_reason")); reason != "" {
			answer["finish"] = reason
		}
		if usage := at(json, "usage"); usage != nil {
			input, _ := at(usage, "prompt_tokens").(float64)
			cached, _ := at(usage, "prompt_tokens_details", "cached_tokens").(float64)
			written, _ := at(usage, "prompt_tokens_details", "cache_write_tokens").(float64)
			answer["usage"] = map[string]any{"input": input - cached - written, "cached": cached, "written": written, "output": at(usage, "completion_tokens")}
		}
	}
	names, ids, inputs := []any{}, []any{}, []any{}
	for _, one := range order {
		names, ids, inputs = append(names, one.name), append(ids, one.id), append(inputs, inputOf(one.said))
	}
	answer["text"], answer["thinking"], answer["refusal"] = text_, thinking, refusal
	answer["names"], answer["called"], answer["ids"], answer["inputs"] = names, sorted(names), ids, inputs
	return answer, nil
}
