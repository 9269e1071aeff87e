// What a client assembles, and what breaks the order of events.
func read(all []event) (any, []string) {
	type block struct{ kind, name, id, said string }
	words := map[string]string{"end_turn": "stop", "tool_use": "tool_calls", "max_tokens": "length", "refusal": "content_filter"}
	answer := map[string]any{"error": false}
	usage := map[string]any{}
	open := map[any]*block{}
	begun := map[any]bool{}
	var blocks []*block
	var problems []string
	started, stopped, deltas := false, false, 0
	wrong := func(format string, values ...any) { problems = append(problems, fmt.Sprintf(format, values...)) }
	count := func(counts any) {
		for member, key := range map[string]string{"input": "input_tokens", "cached": "cache_read_input_tokens", "written": "cache_creation_input_tokens", "output": "output_tokens"} {
			if number, is := at(counts, key).(float64); is {
				usage[member] = number
			}
		}
	}
	for _, one := range all {
		json := parsed(one.data)
		kind, index := text(at(json, "type")), at(json, "index")
		if kind == "" {
			wrong("no event: %s", one.data)
			continue
		}
		if one.name != kind {
			wrong("the event of %s is named %s", kind, one.name)
		}
		if answer["error"] == true {
			wrong("%s follows the error", kind)
		}
		if kind == "error" {
			answer["error"] = true
			continue
		}
		if stopped {
			wrong("%s follows message_stop", kind)
		}
		if kind == "message_start" {
			if started {
				wrong("a second message_start")
			}
			started = true
			count(at(json, "message", "usage"))
			continue
		}
		if !started {
			wrong("%s comes before message_start", kind)
		}
		current := open[index]
		switch kind {
		case "content_block_start":
			if begun[index] {
				wrong("block %v starts again", index)
			}
			if len(open) > 0 {
				wrong("block %v starts while another is open", index)
			}
			if index != float64(len(begun)) {
				wrong("block %v starts as number %d", index, len(begun))
			}
			begun[index] = true
			made := at(json, "content_block")
			current = &block{text(at(made, "type")), text(at(made, "name")), text(at(made, "id")),
				text(at(made, "text")) + text(at(made, "thinking"))}
			open[index] = current
			blocks = append(blocks, current)
		case "content_block_delta":
			if current == nil {
				wrong("a delta comes for block %v, which is not open", index)
				continue
			}
			for _, member := range []string{"text", "thinking", "partial_json"} {
				current.said += text(at(json, "delta", member))
			}
		case "content_block_stop":
			if current == nil {
				wrong("block %v stops, and is not open", index)
			}
			delete(open, index)
		case "message_delta":
			if len(open) > 0 {
				wrong("message_delta comes while a block is open")
			}
			if deltas++; deltas > 1 {
				wrong("a second message_delta")
			}
			if reason := text(at(json, "delta", "stop_reason")); words[reason] != "" {
				answer["finish"] = words[reason]
			} else if reason != "" {
				answer["finish"] = reason
			}
			count(at(json, "usage"))
		case "message_stop":
			if answer["finish"] == nil {
				wrong("no message_delta said a stop_reason")
			}
			stopped = true
		}
	}
	if answer["error"] == false {
		for index := range open {
			wrong("block %v never stops", index)
		}
		if !stopped {
			wrong("no message_stop came")
		}
	}
	said := map[string]string{}
	names, ids, inputs := []any{}, []any{}, []any{}
	for _, one := range blocks {
		said[one.kind] += one.said
		if one.kind == "tool_use" {
			names, ids, inputs = append(names, one.name), append(ids, one.id), append(inputs, inputOf(one.said))
		}
	}
	answer["text"], answer["thinking"], answer["usage"] = said["text"], said["thinking"], usage
	answer["names"], answer["called"], answer["ids"], answer["inputs"] = names, sorted(names), ids, inputs
	return answer, problems
}
