// What a client assembles.
func read(all []event) (any, []string) {
	type call struct{ name, id, said string }
	var text_, thinking, refusal string
	answer := map[string]any{"error": false}
	calls := map[any]*call{}
	var order []*call
	for _, one := range all {
		json := parsed(one.data)
		delta := text(at(json, "delta"))
		switch text(at(json, "type")) {
		case "response.output_text.delta":
			text_ += delta
		case "response.refusal.delta":
			refusal += delta
		case "response.reasoning_text.delta", "response.reasoning_summary_text.delta":
			thinking += delta
		case "response.output_item.added":
			if item := at(json, "item"); text(at(item, "type")) == "function_call" {
				begun := &call{text(at(item, "name")), text(at(item, "call_id")), text(at(item, "arguments"))}
				calls[at(json, "output_index")] = begun
				order = append(order, begun)
			}
		case "response.function_call_arguments.delta":
			if begun := calls[at(json, "output_index")]; begun != nil {
				begun.said += delta
			}
		case "error", "response.failed":
			answer["error"] = true
		case "response.completed":
			answer["finish"] = "stop"
		case "response.incomplete":
			answer["finish"] = "length"
			if reason := text(at(json, "response", "incomplete_details", "reason")); reason == "content_filter" {
				answer["finish"] = reason
			}
		}
		if usage := at(json, "response", "usage"); usage != nil {
			input, _ := at(usage, "input_tokens").(float64)
			cached, _ := at(usage, "input_tokens_details", "cached_tokens").(float64)
			written, _ := at(usage, "input_tokens_details", "cache_write_tokens").(float64)
			answer["usage"] = map[string]any{"input": input - cached - written, "cached": cached, "written": written, "output": at(usage, "output_tokens")}
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
